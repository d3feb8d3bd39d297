# The board and the engine, without torch:
#
#   docker build -t okapi . && docker run --rm -p 127.0.0.1:8000:8000 okapi     open the printed link, at localhost
#   docker run --rm -i --entrypoint okapi-uci okapi                             UCI
FROM debian:12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3-dev python3-venv
COPY . /source
WORKDIR /source
RUN python3 -m venv /opt/okapi \
 && /opt/okapi/bin/pip install --no-cache-dir --constraint constraints.txt --config-settings=cmake.define.OKAPI_NATIVE=OFF . \
 && /opt/okapi/bin/pip uninstall --yes pip setuptools \
 && strip /opt/okapi/lib/python3*/site-packages/zstandard/*.so \
 && find /opt/okapi \( -name __pycache__ -o -name tests -o -name f2py -o -name '*.pyi' \) -prune -exec rm -r {} +

FROM debian:12-slim AS system
RUN apt-get update && apt-get install -y --no-install-recommends python3 && useradd --create-home okapi \
 && rm -rf /var/lib/apt /var/lib/dpkg /var/cache/* /var/log/* /usr/share/doc /usr/share/locale /usr/share/perl5 \
    /usr/bin/perl* /usr/lib/*/perl-base /usr/bin/apt* /usr/bin/dpkg* /usr/lib/apt /usr/lib/*/libapt-* \
    /usr/lib/python3*/lib2to3 /usr/lib/python3*/pydoc_data /usr/sbin/*
COPY --from=build /opt/okapi /opt/okapi

# One layer, so that what was removed takes no space.
FROM scratch
COPY --from=system / /
ENV PATH=/opt/okapi/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 LANG=C.UTF-8
USER okapi
WORKDIR /home/okapi
EXPOSE 8000
CMD ["okapi", "play", "--no-browser", "--share", "0.0.0.0", "--port", "8000"]
