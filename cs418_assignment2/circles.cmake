# EXACT: whether a pixel lies on a circle must not depend on contraction (circle_renderer/circle.h).
add_sample(circle_renderer KIND animation EXACT
  CHECK_SIZES 1 17 256 1000
  EMULATED_CHECK_SIZES 1 17 128)
