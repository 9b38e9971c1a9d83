// The style and the script of report.html: buttons for series and colors, and values under the pointer. Without the script
// the page is complete, but not interactive.

enum ReportPageParts {
  static let style = """
    :root{--paper:#fff;--text:#222;--faint:#5c5c5c;--rule:#ddd;--soft:#f6f6f6;--link:#0072b2}
    [data-theme=dark]{--paper:#15181c;--text:#ececec;--faint:#a9b0b8;--rule:#353b43;--soft:#1c2026;--link:#8bd0f7}
    *{box-sizing:border-box}
    body{margin:0;background:var(--paper);color:var(--text);font:15px/1.5 system-ui,'DejaVu Sans',Helvetica,sans-serif}
    main{max-width:1280px;margin:0 auto;padding:24px 20px 60px}
    h1{font-size:26px;margin:0 0 8px}h2{font-size:19px;margin:34px 0 8px;border-bottom:1px solid var(--rule)}
    blockquote{margin:0 0 16px;padding:4px 16px;border-left:4px solid #d55e00;background:var(--soft)}
    code,pre{font:13px/1.45 ui-monospace,'DejaVu Sans Mono',monospace}pre{background:var(--soft);padding:10px;overflow-x:auto}
    .scroll{overflow-x:auto;max-width:100%}table{border-collapse:collapse;font-size:13px;margin:8px 0}
    th,td{padding:3px 7px;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
    .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}th em{font-weight:400;color:var(--faint)}
    td:first-child{white-space:nowrap}td:last-child{min-width:5em}
    details{margin:6px 0 12px;border:1px solid var(--rule);border-radius:5px;padding:4px 8px}
    summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}
    .bar-of-buttons{display:flex;flex-wrap:wrap;gap:6px;position:sticky;top:0;background:var(--paper);padding:8px 0;z-index:2}
    button{font:inherit;font-size:13px;color:var(--text);background:var(--soft);border:1px solid var(--rule);border-radius:5px;
    padding:3px 9px;cursor:pointer}
    button[aria-pressed=false]{opacity:.45;text-decoration:line-through}button svg{vertical-align:middle;margin-right:6px}
    #theme{margin-left:auto}.panel{position:relative}.panel svg,.small svg{width:100%;height:auto;display:block}
    .smalls{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr))}
    .smalls{gap:6px;margin:0 0 12px}.small{min-width:0;max-width:320px}
    .legend span{margin-right:16px}.legend svg{vertical-align:middle;margin-right:6px}
    .off{display:none}.cursor{stroke:var(--faint);stroke-width:1}
    #tip{position:fixed;pointer-events:none;background:var(--paper);color:var(--text);border:1px solid var(--faint);
    border-radius:5px;padding:6px 9px;font-size:12px;box-shadow:0 2px 8px #0004;z-index:3;max-width:340px}
    #tip[hidden]{display:none}#tip b{font-weight:600}#tip td{border:0;padding:0 6px 0 0}
    h1,h2,h3,p,li{overflow-wrap:anywhere}
    @media(max-width:640px){main{padding:16px 12px 40px}td:first-child{white-space:normal}th,td{padding:3px 6px}
    th:first-child,td:first-child{position:sticky;left:0;background:var(--paper);max-width:9em}details{padding:4px 6px}
    .panel{overflow-x:auto}.panel svg{min-width:640px}
    .scroll{background:linear-gradient(to right,var(--paper) 30%,transparent) left/40px 100% no-repeat local,
    linear-gradient(to left,var(--paper) 30%,transparent) right/40px 100% no-repeat local,
    linear-gradient(to right,#0003,transparent) left/12px 100% no-repeat scroll,
    linear-gradient(to left,#0003,transparent) right/12px 100% no-repeat scroll}}
    @media print{.bar-of-buttons{display:none}}
    """

  static let script = """
    (function(){'use strict';
    var root=document.documentElement,data=JSON.parse(document.getElementById('data').textContent);
    var tip=document.getElementById('tip'),hidden={};
    function theme(name){root.setAttribute('data-theme',name);
      document.getElementById('theme').textContent=name==='dark'?'light':'dark';}
    theme(window.matchMedia&&matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light');
    document.getElementById('theme').addEventListener('click',function(){
      theme(root.getAttribute('data-theme')==='dark'?'light':'dark');});
    document.querySelectorAll('button[data-series]').forEach(function(button){
      button.addEventListener('click',function(){
        var s=button.getAttribute('data-series'),on=button.getAttribute('aria-pressed')==='true';
        button.setAttribute('aria-pressed',on?'false':'true');hidden[s]=on;
        document.querySelectorAll('[data-s="'+s+'"]').forEach(function(e){e.classList.toggle('off',on);});
      });
    });
    function bytes(v){var u=['B','kB','MB','GB','TB'],i=0;while(v>=999.5&&i<4){v/=1000;i++;}
      return (i===0?String(v):v>=99.95?v.toFixed(0):v>=9.995?v.toFixed(1):v.toFixed(2))+' '+u[i];}
    function at(line,commit){var c=line.c,lo=0,hi=c.length-1;if(hi<0||c[0]>commit)return null;
      while(lo<hi){var m=(lo+hi+1)>>1;if(c[m]<=commit)lo=m;else hi=m-1;}return line.b[lo];}
    function row(name,value,series){var tr=document.createElement('tr');
      [name,value].forEach(function(t,i){var td=document.createElement('td');td.textContent=t;
        if(i)td.className='n';tr.appendChild(td);});
      if(series!==undefined)tr.setAttribute('data-tip',series);return tr;}
    function show(panel,box,commit,cx,cy){
      var p=data.panels[+box.getAttribute('data-panel')];commit=Math.max(0,Math.min(p.last,Math.round(commit)));
      var x=p.left+commit*p.width/p.last,cursor=box.querySelector('.cursor');
      cursor.setAttribute('x1',x);cursor.setAttribute('x2',x);cursor.removeAttribute('visibility');
      tip.textContent='';var head=document.createElement('b');
      var phase=p.phases.filter(function(f){return f.f<=commit&&commit<=f.l;})[0];
      head.textContent=p.title+', commit '+commit.toLocaleString('en')
        +(phase?': '+phase.n+', launch '+phase.u:'');
      tip.appendChild(head);var table=document.createElement('table');
      p.lines.forEach(function(l){if(hidden[l.s])return;var b=at(l,commit);
        if(b!==null)table.appendChild(row(l.n,bytes(b),l.s));});
      var live=at(p.live,commit);if(live!==null)table.appendChild(row('live data',bytes(live)));
      p.pins.forEach(function(q){if(q.f<=commit&&commit<=q.l)
        table.appendChild(row('held by '+q.n+' since '+q.f.toLocaleString('en'),
          q.k===null?'retained: n/a':bytes(q.k)+' retained'));});
      tip.appendChild(table);tip.hidden=false;
      tip.style.left=Math.min(cx+14,innerWidth-tip.offsetWidth-8)+'px';
      tip.style.top=Math.min(cy+14,innerHeight-tip.offsetHeight-8)+'px';
      box.setAttribute('data-commit',commit);
    }
    function hide(box){tip.hidden=true;box.querySelector('.cursor').setAttribute('visibility','hidden');}
    document.querySelectorAll('[data-panel]').forEach(function(box){
      var svg=box.querySelector('svg'),p=data.panels[+box.getAttribute('data-panel')];
      svg.addEventListener('pointermove',function(e){var r=svg.getBoundingClientRect(),u=(e.clientX-r.left)*p.box/r.width;
        show(p,box,(u-p.left)*p.last/p.width,e.clientX,e.clientY);});
      svg.addEventListener('pointerleave',function(){hide(box);});
      box.addEventListener('blur',function(){hide(box);});
      box.addEventListener('keydown',function(e){var step={ArrowLeft:-1,ArrowRight:1}[e.key];
        if(!step)return;e.preventDefault();
        var r=svg.getBoundingClientRect(),
          commit=(+box.getAttribute('data-commit')||0)+step*Math.max(1,Math.round(p.last/100));
        show(p,box,commit,r.left+(p.left+commit*p.width/p.last)*r.width/p.box,r.top+40);});
    });
    root.setAttribute('data-ready','yes');
    })();
    """
}
