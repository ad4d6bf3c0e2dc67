# The emulated device in a container: no GPU, no CUDA toolkit. Also what the dev container (.devcontainer) is.
#   docker build -t cuda-teaching-examples .
#   docker run --rm -v "$PWD:/out" cuda-teaching-examples ray --headless --output /out/ray.png
FROM debian:12
# git, a debugger and films; a user for the editor, who may install what ./run misses.
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates ffmpeg gdb git less openssh-client python3 sudo && \
    rm -rf /var/lib/apt/lists/* && \
    useradd --create-home --shell /bin/bash student && \
    echo 'student ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/student
WORKDIR /cuda_teaching_examples
COPY --chown=student . .
RUN chown student .
USER student
# The device, what samples share, and the first samples; others are built when they are asked for. For any processor
# (NATIVE=OFF): the image runs elsewhere than it is made. Then the device for the editor's debugger.
RUN ./run heat --help >/dev/null && \
    cmake -DNATIVE=OFF build/emulated >/dev/null && \
    cmake --build build/emulated --target hello add julia ray heat heat_explained && \
    bash tools/debug.sh chapter03_introduction/hello.cu && \
    sudo rm -rf /var/lib/apt/lists/*
# As root, so that it may write to a folder of the host.
USER root
ENTRYPOINT ["./run"]
CMD ["--list"]
