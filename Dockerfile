# The emulated device in a container: no GPU, no CUDA toolkit.
#   docker build -t cuda-teaching-examples .
#   docker run --rm -v "$PWD:/out" cuda-teaching-examples ray --headless --output /out/ray.png
FROM debian:12
WORKDIR /cuda_teaching_examples
COPY . .
# Installs what is missing and builds the first sample; later ones are built when they are asked for.
RUN ./run ray --headless --size 64 --output /tmp/ray.png
ENTRYPOINT ["./run"]
CMD ["--list"]
