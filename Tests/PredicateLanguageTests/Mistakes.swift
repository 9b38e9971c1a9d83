// What is told for each mistake: position, message and cure, then the text with the mistake marked.

let mistakes = #"""
  1:24: unknown variable "usedByte"; did you mean "usedBytes"?
  totalBytes > 100 MB && usedByte / totalBytes < 50%
                         ^^^^^^^^

  1:1: unknown variable "totalbytes"; did you mean "totalBytes"?
  totalbytes > 5
  ^^^^^^^^^^

  1:1: a condition is needed, and this is a number; compare it with something, as in totalBytes > 100 MB
  totalBytes
  ^^^^^^^^^^

  1:5: + needs numbers, and this is a truth value
  1 + (pins < 3)
      ^^^^^^^^^^

  1:12: + needs numbers, and this is a truth value
  pins < 3 + true
             ^^^^

  1:1: > compares numbers, and this is a truth value
  (pins < 3) > 2
  ^^^^^^^^^^

  1:2: ! needs a truth value, and this is a number; compare it with something, as in totalBytes > 100 MB
  !totalBytes
   ^^^^^^^^^^

  1:5: not needs a truth value, and this is a number; compare it with something, as in totalBytes > 100 MB
  not totalBytes
      ^^^^^^^^^^

  1:2: - needs a number, and this is a truth value
  -(pins < 3) > 1
   ^^^^^^^^^^

  1:1: && joins truth values, and this is a number; compare it with something, as in totalBytes > 100 MB
  totalBytes && pins > 1
  ^^^^^^^^^^

  1:13: || joins truth values, and this is a number; compare it with something, as in totalBytes > 100 MB
  pins > 1 || 5
              ^

  1:10: comparisons do not chain; write a < b && b < c
  1 < pins < 5
           ^

  1:11: comparisons do not chain; write a == b && b != c
  pins == 1 != true
            ^^

  1:13: a value is missing at the end
  totalBytes >
              ^

  1:18: unknown unit "mb"; write MB for 10^6 bytes or MiB for 2^20 bytes
  totalBytes > 100 mb
                   ^^

  1:18: unknown unit "KB"; write kB for 1000 bytes or KiB for 1024 bytes
  totalBytes > 100 KB
                   ^^

  1:17: unknown unit "MBs"; units are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, %, ms, s, min, h, d
  totalBytes > 100MBs
                  ^^^

  1:16: unknown unit "seconds"; write s for seconds
  totalBytes > 5 seconds
                 ^^^^^^^

  1:16: unexpected "apples"; an operator such as && or > is missing before it
  totalBytes > 5 apples
                 ^^^^^^

  1:15: unknown unit "apples"; units are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, %, ms, s, min, h, d
  totalBytes > 5apples
                ^^^^^^

  1:12: unexpected "%"; % follows a number, as in 50 %; there is no remainder
  totalBytes % 2 == 1
             ^

  1:12: = compares nothing; compare with ==
  totalBytes = 5
             ^

  1:6: = compares nothing; compare with ==
  pins = = 5
       ^

  1:16: unexpected "&"; and is &&
  totalBytes > 5 & pins > 1
                 ^

  1:16: unexpected "|"; or is ||
  totalBytes > 5 | pins > 1
                 ^

  1:16: expected ) but found the end; it closes the ( in column 14
  totalBytes > (5
                 ^

  1:15: unexpected ")"; no ( is open here
  totalBytes > 5)
                ^

  1:16: unexpected "}"; no { is open here
  totalBytes > 5 }
                 ^

  1:1: the { is never closed; end with }
  { totalBytes, usedBytes in totalBytes > 5
  ^

  1:3: the closure's parameter "total" is no variable; name the parameters totalBytes, usedBytes
  { total, used in total > 5 }
    ^^^^^

  1:3: the closure's parameter "totalByte" is no variable; did you mean "totalBytes"?
  { totalByte, usedBytes in totalByte > 5 }
    ^^^^^^^^^

  1:18: the closure's parameter "total" is no variable; name the parameters totalBytes, usedBytes
  ^BOOL(NSUInteger total, NSUInteger used) { return totalBytes > 5; }
                   ^^^^^

  1:1: the block has no {
  ^BOOL(NSUInteger totalBytes, NSUInteger usedBytes
  ^

  1:8: expected the closure of shouldCompactOnLaunch; write { totalBytes, usedBytes in … }
  config.shouldCompactOnLaunch = nil
         ^^^^^^^^^^^^^^^^^^^^^

  1:1: unknown function "most"; there are Double(x), Int(x), min(…), max(…), abs(…), sqrt(…)
  most(totalBytes, 5) > 3
  ^^^^

  1:11: unexpected "."; members such as .count are not known here
  totalBytes.count > 5
            ^

  1:14: expected a value but found "."; write 0.5 with its zero
  totalBytes > .5
               ^

  1:1: unexpected "$"; name the values: totalBytes rather than $0
  $0 > 5
  ^

  1:22: expected : but found the end; write a ? b : c
  totalBytes > 5 ? true
                       ^

  1:1: ? needs a truth value before it, and this is a number; compare it with something, as in totalBytes > 100 MB
  totalBytes ? true : false
  ^^^^^^^^^^

  1:1: one branch is a number, and the other a truth value; both must be of one kind
  pins > 5 ? true : 5
  ^^^^^^^^^^^^^^^^^^^

  1:16: unexpected "pins"; an operator such as && or > is missing before it
  totalBytes > 5 pins > 2
                 ^^^^

  1:17: unexpected "let"; definitions come before the condition
  totalBytes > 5; let x = 5
                  ^^^

  1:16: "x" is already defined; choose another name
  let x = 5; let x = 6; x > 5
                 ^

  1:5: "totalBytes" is already a variable; choose another name
  let totalBytes = 5; totalBytes > 3
      ^^^^^^^^^^

  1:5: expected a name to define but found "="
  let = 5
      ^

  1:7: expected = after "x" but found "5"
  let x 5
        ^

  1:11: unexpected "pins"; an operator such as && or > is missing before it
  let x = 5 pins > x
            ^^^^

  1:10: a value is missing at the end
  let x = 5
           ^

  1:3: a definition begins with let; write let x = …
  x = 5; x > 3
    ^

  1:5: expected a name to define but found "and"
  let and = 5
      ^^^

  1:7: a value is missing at the end
  return
        ^

  1:1: expected a value but found "*"
  * 5 > 3
  ^

  1:13: expected a value but found ">"
  totalBytes >> 5
              ^

  1:14: the number is too large
  totalBytes > 1e999
               ^^^^^

  1:1: the comment never ends; close it with */
  /* never closed
  ^^

  1:1: a value is missing where this does not return; each way through the closure must return one
  if totalBytes > 5 { return true }
  ^^^^^^^^^^^^^^^^^

  1:27: expected else but found the end; a value is needed in either case
  if totalBytes > 5 { pins }
                            ^

  1:1: min takes two numbers or more
  min(totalBytes) > 5
  ^^^^^^^^^^^^^^^

  1:1: abs takes one number
  abs(pins, 5) > 5
  ^^^^^^^^^^^^

  1:1: bytes and a share cannot stand for each other; both must measure the same
  max(totalBytes, 50 %) > 5
  ^^^^^^^^^^^^^^^^^^^^^

  1:1: the square root of bytes measures nothing; take that of a product, as in sqrt(20 MB * usedBytes)
  sqrt(totalBytes) > 5
  ^^^^^^^^^^^^^^^^

  1:1: this is the root of a negative number; it never has a value
  sqrt(1 - 5) > pins
  ^^^^^^^^^^^

  1:3: Swift does not mix Int and Double; write Double(usedBytes) / Double(totalBytes), or the condition without let and return
  { usedBytes / totalBytes < 0.5 }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  1:3: Swift does not mix Double and Int; write Double(totalBytes), or the condition without let and return
  { Double(usedBytes) / totalBytes < 0.5 }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  1:3: pinAge has a fraction, and a closure has whole numbers; write Double(pinAge)
  { pinAge > 5 }
    ^^^^^^

  1:4: Swift takes if as a value only behind = or return; write condition ? a : b
  { (if pins > 5 { 1 } else { 2 }) < totalBytes }
     ^^

  1:3: guard must return in its else; write return
  { guard pins > 5 else { } return true }
    ^^^^^

  1:1: unexpected """
  "totalBytes" > 5
  ^

  1:16: unexpected "#"; comments begin with //
  totalBytes > 5 #comment
                 ^

  1:19: expected a value but found "&&"
  totalBytes > 5 && && pins > 1
                    ^^

  1:7: only numbers are converted, and this is a truth value
  Double(pins > 1) > 2
        ^^^^^^^^^^

  1:8: expected a name to define but found ">"
  Double > 5
         ^

  1:2: expected a value but found ")"
  () > 5
   ^

  1:7: expected a value but found ">"
  pins <> 5
        ^

  1:6: = compares nothing; compare with ==
  pins => 5
       ^

  1:19: a value is missing at the end
  totalBytes > 5 and
                    ^

  1:2: unknown unit "x10"; units are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, %, ms, s, min, h, d
  0x10 > pins
   ^^^

  1:1: unknown function "Bool"; there are Double(x), Int(x), min(…), max(…), abs(…), sqrt(…)
  Bool(5)
  ^^^^

  1:10: unexpected "_"; an operator such as && or > is missing before it
  pins > 1 _ 000
           ^

  1:1: bytes cannot be compared with a share; did you mean "usedBytes / totalBytes < 50 %"?
  usedBytes < 50 %
  ^^^^^^^^^^^^^^^^

  1:9: a share cannot be compared with bytes; did you mean "50 % > (usedBytes + freeBytes) / totalBytes"?
  true && 50 % > usedBytes + freeBytes
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  1:1: bytes cannot be compared with a share; bytes are compared with a size such as 100 MB
  totalBytes > 50 %
  ^^^^^^^^^^^^^^^^^

  1:1: a time cannot be compared with bytes; a time is compared with one such as 10 s
  pinAge > 3 MB
  ^^^^^^^^^^^^^

  1:1: a time cannot be compared with bytes; bytes are compared with a size such as 100 MB
  10 s > liveBytes
  ^^^^^^^^^^^^^^^^

  1:1: a share cannot be compared with bytes; a share is compared with one such as 50 %
  usedBytes / totalBytes < 100 MB
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  1:1: a count cannot be compared with a share; a count is compared with a plain number such as 3
  pins > 50 %
  ^^^^^^^^^^^

  1:1: a count cannot be compared with bytes; a count is compared with a plain number such as 3
  pins == liveBytes
  ^^^^^^^^^^^^^^^^^

  1:1: a quantity in B^2 cannot be compared with bytes; both sides must measure the same
  totalBytes * usedBytes > 100 MB
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  1:13: bytes and a share cannot be added; a share of something is a product, as in 50 % * totalBytes
  liveBytes < totalBytes + 50 % && true
              ^^^^^^^^^^^^^^^^^

  1:1: a time cannot be subtracted from bytes; both must measure the same
  totalBytes - pinAge > 5
  ^^^^^^^^^^^^^^^^^^^

  1:12: bytes cannot be compared with a share; did you mean "usedBytes / totalBytes < 50 %"?
  let half = usedBytes < 50 %; half
             ^^^^^^^^^^^^^^^^

  1:14: this divides by zero; it never has a value
  totalBytes / 0 > 1
               ^

  1:8: this divides by zero; it never has a value
  1 MB / ( 2 - 2 ) > totalBytes
         ^^^^^^^^^

  1:28: this divides by zero; it never has a value
  let zero = 0; totalBytes / (zero * 5) > 1
                             ^^^^^^^^^^

  1:14: the number is too large
  totalBytes < 1e308 * 10
               ^^^^^^^^^^
  """#
