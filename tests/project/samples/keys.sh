# keys.sh PAGE BIN NAME...: the PAGE's table of keys has what each sample's --help lists, beside the sample's name where not
# every window has it.
set -u
page=$1 bin=$2
shift 2
failed=0
rows=$(sed -n '/^| key | does |/,/^$/s/^| \(.*\) |$/\1/p' "$page")
for name; do
  while IFS='|' read -r key effect; do
    grep -F -e "$key" <<<"${rows}" | grep -qE "\`$name\`|\| (quit|pause|save the picture|restart|show or hide)" ||
      { echo "$page: the table of keys lacks '$key' of $name ($effect)"; failed=1; }
  done < <("$bin/$name" --help | sed -n '1,/^Keys and mouse/d; s/^  \(.*[^ ]\)   *\([^ ].*\)$/\1|\2/p')
done
exit $failed
