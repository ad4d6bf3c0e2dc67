# EXACT throughout: the coordinates that a kernel computes are then those of the CPU reference, bit for bit.
add_sample(heat KIND animation EXACT CHECK_ARGS --frames 2)
add_sample(heat_2d KIND animation EXACT CHECK_ARGS --frames 2)
add_sample(texture_transform KIND animation EXACT EMULATED_CHECK_SIZES 1 17 256
  CHECK_RUNS "angle0:--size 64 --angle 0" "backwards:--size 64 --angle -2.5")
add_sample(texture_modes KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(half_texture KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(layered_texture KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(cubemap_texture KIND animation EXACT EMULATED_CHECK_SIZES 1 17 256
  CHECK_RUNS "sunset:--size 64 --scene sunset --angle 2" "night:--size 64 --scene night --angle 4"
             "studio:--size 64 --scene studio --angle 5")
add_sample(cubemap_layered_texture KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(texture_gather KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(surface_copy KIND still EMULATED_CHECK_SIZES 1 17 256)
add_sample(cubemap_surface KIND still EXACT EMULATED_CHECK_SIZES 1 17 256)
add_sample(read_write_coherency KIND still EMULATED_CHECK_SIZES 1 17 256)
