# The options of ./run --step (sourced, not run): what the emulated device shows, in variables of the environment
# (emulator/packs/explain/src/step/step.cpp).

# take_step_options WORD...: exports what they say, up to a --, and leaves the other words in the array `words`. A sample may
# have a --block of its own, of one number.
take_step_options() {
  local option value program=${1:-}
  words=()
  while [ $# -gt 0 ]; do
    option=$1
    shift
    case $option in
      --wrong)
        export EMULATED_STEP_WRONG=1
        ;;
      --block | --launch | --kernel | --at)
        [ $# -gt 0 ] || die "$option needs a value after it" 2
        value=$1
        shift
        ;;
      --block=* | --launch=* | --kernel=* | --at=*)
        value=${option#*=}
        option=${option%%=*}
        ;;
      --)
        words+=(-- "$@")
        return 0
        ;;
      *)
        words+=("$option")
        continue
        ;;
    esac
    case $option in
      --block)
        if [[ $program != *.cu && $value =~ ^[0-9]+$ ]]; then
          words+=(--block "$value")
          continue
        fi
        [[ $value =~ ^[0-9]{1,9}(,[0-9]{1,9}){0,2}$ ]] ||
          die "--block needs the block's x,y,z, as in --block 1,0,0, not '$(shorten "$value")'" 2
        export EMULATED_STEP_BLOCK=$value
        ;;
      --launch)
        [[ $value =~ ^[1-9][0-9]{0,8}$ ]] ||
          die "--launch needs a number from 1 on, not '$(shorten "$value")'" 2
        export EMULATED_STEP_LAUNCH=$value
        ;;
      --kernel)
        [ -n "$value" ] || die "--kernel needs the name of a kernel" 2
        export EMULATED_STEP_KERNEL=$value
        ;;
      --at)
        [[ $value =~ ^[A-Za-z_][A-Za-z_0-9.]*(\[[0-9]{1,18}\]){0,3}$ ]] ||
          die "--at needs an element, as in --at out[257] or --at tile[3][5], not '$(shorten "$value")'" 2
        export EMULATED_STEP_AT=$value
        ;;
    esac
    [ -z "${EMULATED_STEP_AT:+${EMULATED_STEP_WRONG:-}}" ] || die "--at and --wrong both choose an element; give one" 2
  done
}

# show_steps PAGE: in the browser; --watch shows it itself.
show_steps() {
  [ ! -f "$1" ] || [ -n "${RUN_WATCHED:-}" ] || "$root/scripts/open_page.sh" "$1"
}
