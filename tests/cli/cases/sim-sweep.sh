# 100 us by default, whatever the size; wall 107.015 us. Sizes are measured in the order given, each once.
kerntime bench matmul --size 32..128,33,64 --variant tiled -d sim:0
