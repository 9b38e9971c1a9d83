#!/bin/bash
# All parts of the comparison with at least 15 pairs, in less than 15 minutes on a quiet machine:
#   Benchmarks/final.sh /tmp > tables.md
# Each part has a limit of its own, and one that fails leaves the others their turn. As root, the bytes at the device are
# counted once more on a file system of their own, where nothing else writes.
cd "$(dirname "$0")" || exit 1
folder=${1:-/tmp}
swift build -c release 1>&2 || exit 1
began=$SECONDS
bench() {
  printf '\n'
  timeout "${limit:-200}" .build/release/engine-bench --folder "$folder" "$@" \
    || printf 'This part ended with %s: %s\n' $? "$*"
}
bench --part commits --rows 20000 --durable 200
bench --part commits --rows 20000 --durable 200 --state churned
bench --part commits --rows 20000 --durable 200 --unsynced 1000 --state fragmented
bench --part commits --rows 1000000 --durable 60
# Updates of ten million rows in three engines come before the first pair.
limit=400 bench --part commits --rows 1000000 --durable 60 --state churned
bench --part reads --rows 20000
bench --part reads --rows 1000000
bench --part load --rows 20000
bench --part load --rows 1000000
bench --part compaction
bench --part open --rows 10000000 --value 400
printf '\n'
timeout 200 .build/release/compaction-bench --folder "$folder" --rounds 15
printf '\n'
timeout 100 .build/release/encryption-bench
printf '\n'
timeout 100 .build/release/object-bench --folder "$folder" --rounds 15
printf '\n'
timeout 100 .build/release/object-bench --folder "$folder" --part queries --rows 1000000 --batch 10000 --rounds 7
printf '\n'
timeout 100 .build/release/object-bench --folder "$folder" --part notifications --rows 1000000 --batch 10000

if [ "$(id -u)" = 0 ] && command -v losetup mkfs.ext4 > /dev/null; then
  disk=$(mktemp -d "$folder/disk-XXXXXX")
  mkdir "$disk/files"
  truncate -s 2G "$disk/image"
  if mkfs.ext4 -q "$disk/image" && mount -o loop "$disk/image" "$disk/files"; then
    folder=$disk/files
    printf '\nOn a file system of its own; its times are not a disk'"'"'s.\n'
    for rows in 20000 1000000; do
      bench --part commits --rows $rows --durable 100 --unsynced 1 | grep -E '^(commits|\| \||.*device)'
    done
    # Mounted by default: where the disk of the folder is with discard, each truncation waits for it.
    bench --part compaction
    umount "$disk/files"
  fi
  rm -r "$disk"
fi
printf '\n%s seconds in all.\n' $((SECONDS - began))
