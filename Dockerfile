# msat as a service, with its kernels compiled. Not built where it was written (no Docker there): tell us if it fails.
#   docker build -t msat . && docker run --rm --init --read-only -p 127.0.0.1:8817:8817 msat
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY msat msat
RUN python -m venv /opt/msat && /opt/msat/bin/pip install --no-cache-dir .
ENV NUMBA_CACHE_DIR=/opt/kernels NUMBA_CPU_NAME=generic
RUN /opt/msat/bin/msat warm

FROM python:3.12-slim
RUN useradd --system --create-home msat
COPY --from=build /opt/msat /opt/msat
COPY --from=build --chown=msat /opt/kernels /opt/kernels
# The image may run on any processor of its kind: kernels are compiled for what they all have.
ENV NUMBA_CACHE_DIR=/opt/kernels NUMBA_CPU_NAME=generic
USER msat
EXPOSE 8817
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/opt/msat/bin/python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8817/readyz')"]
ENTRYPOINT ["/opt/msat/bin/msat", "serve", "--host", "0.0.0.0"]
