add_sample(constant_broadcast KIND still CHECK_SIZES 256 CHECK_RUNS "one_read:--reads 1 --blocks 1" "many_reads:--reads 1000 --blocks 3")
