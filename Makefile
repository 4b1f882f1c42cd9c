# make play   the game in the browser, from a fresh clone (PORT=8001 make play: another port)
# make quick  the inner loop, within a minute on two quiet cores: style, imports, types, the rules by clause, and the
#             services and pages of campaigns; no browser, no server, no other process
# make test   everything that must hold; on Debian as root it installs what it needs
# make client the client in Python as a wheel, generated from the schema, in clients/python/dist
# make lint, make audit, make types, make unit, make minute: its parts; make long, make bench, make clean
# make soak   2,000 campaigns of every scenario at random, the three short ones too, within two hours and a half
#             (make soak CAMPAIGNS=100 MINUTES=5 SEED=7 WORKERS=2), then 10,000 battles of each book, two hours
#             on one core (BATTLES=1000)
# make torture  workers, servers, disks and clocks that fail a hundred times, attackers, an evening's load:
#             as root, for it lays out a small disk; an hour or so

# Compiled modules are kept, for the tests start many processes that import the same ones.
export PYTHONDONTWRITEBYTECODE =

PYTHON ?= python3
VENV := .venv/bin/python
CAMPAIGNS ?= 2000
BATTLES ?= 10000
MINUTES ?= 30
SEED ?= 1
WORKERS ?= 1
ADVISORIES ?= pypi osv
OSV ?= https://api.osv.dev/v1/query
AUDITED ?= requirements-dev.txt
AUDIT = .venv/audit/bin/pip-audit --no-deps --disable-pip --progress-spinner off --timeout 5 \
	--cache-dir .venv/audit/cache --osv-url $(OSV)
PIP := $(VENV) -m pip install -qq --disable-pip-version-check

HAS_VENV = $(PYTHON) -c 'import ensurepip, venv' 2> /dev/null
HAS_SHELL = command -v chromium-headless-shell > /dev/null
HAS_BROWSER = { $(HAS_SHELL) || command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null
# Playwright's driver is a program of its own, linked with a library that Debian may lack.
HAS_ATOMIC = $(PYTHON) -c 'import ctypes, sys; sys.platform == "linux" and ctypes.CDLL("libatomic.so.1")' 2> /dev/null
HAS_POSTGRES = { ls /usr/lib/postgresql/*/bin/initdb || command -v initdb; } > /dev/null 2>&1
HAS_REDIS = command -v redis-server > /dev/null
HAS_NGINX = PATH="$$PATH:/usr/sbin" command -v nginx > /dev/null
HAS_CADDY = command -v caddy > /dev/null
HAS_WRK = command -v wrk > /dev/null
HAS_FAKETIME = ls /usr/lib/*/faketime/libfaketimeMT.so.1 > /dev/null 2>&1

.NOTPARALLEL:
.PHONY: play quick test lint types unit collected minute long soak torture bench audit clean python browser servers clocks system

play: .venv/play
	@$(VENV) manage.py play

# The inner loop leaves out what starts other processes, builds the map again, plays campaigns to their end or draws
# the schema: `make test` has them. A new file is a part of it until it is named here.
SLOW = $(addprefix tests/campaign/test_, advance.py archive.py archive_orders.py battles_commands.py battles_processes.py \
		bench.py cautions.py commands.py compared.py deadlines.py demo.py live.py long_runs.py mail.py \
		pages_campaign.py pages_trace.py papers.py processes.py simulation.py tables.py umpire_months.py) \
	$(addprefix tests/campaign/orders/test_, months.py processes.py)
QUICK = tests/contract tests/core tests/rules $(filter-out $(SLOW), \
		$(wildcard tests/campaign/test_*.py tests/campaign/orders/test_*.py)) \
	$(addprefix --ignore tests/rules/, map/test_build.py map/test_other_grids.py test_8_2_reach_of_all.py test_ruling.py)

quick: lint types
	$(VENV) -m pytest -q -n 2 --dist worksteal $(QUICK)

# Debian's packages are fetched beside Python's, unless Python lacks what the latter need. Types keep one core busy for
# longer than collecting and random campaigns do the other, so the tests begin beside them.
test:
	@$(HAS_VENV) || $(MAKE) system
	@$(MAKE) system & fetched=$$!; $(MAKE) lint audit .venv/bench .venv/generators/made; held=$$?; \
	wait $$fetched; exit $$held
	@$(MAKE) types & beside=$$!; $(MAKE) collected minute unit; held=$$?; wait $$beside && exit $$held

lint: .venv/dev
	$(VENV) -m ruff check
	$(VENV) -m ruff format --check
	$(VENV) .venv/bin/lint-imports

types: .venv/dev
	$(VENV) -m mypy

# Compiles the tests once, which both processes of the suite would do otherwise.
collected: .venv/dev
	@$(VENV) -m pytest --collect-only -q > /dev/null

# Slow tests lie together: whoever has done his share takes over some of the other's. Every part of
# the bench is tried too, which needs the engine beside which it measures. Three processes keep two cores busy, for
# tests of browsers and servers wait.
unit: .venv/dev .venv/bench .venv/generators/made browser servers
	$(VENV) manage.py check
	$(VENV) manage.py makemigrations --check --dry-run
	$(VENV) -m pytest -n 3 --dist worksteal

client: .venv/generators/made
	@cd clients/python && $(CURDIR)/.venv/generators/bin/hatchling build -t wheel

# Half a minute of random campaigns, dozens of the short ones; MINUTES are of each scenario. `make soak` plays thousands.
minute: .venv/dev
	$(VENV) -m tests.conformance --minutes 0.1

soak: .venv/dev
	$(VENV) -m tests.conformance --campaigns $(CAMPAIGNS) --minutes $(MINUTES) --seed $(SEED) --workers $(WORKERS)
	$(VENV) -m tests.conformance --battles $(BATTLES) --seed $(SEED) --workers $(WORKERS)

long: .venv/dev .venv/bench .venv/generators/made browser servers
	$(VENV) -m pytest -m long

torture: system .venv/dev servers clocks
	$(VENV) -m pytest -m torture -n 2 --dist worksteal --durations 10
	$(VENV) -m pytest -m long tests/security -n 2 --dist worksteal --durations 10
	$(VENV) -m tests.torture.evening --minutes 3

bench: .venv/bench
	$(VENV) -m tests.bench

# Fails for a package with a known hole. Whether a service of advisories answers is seen by an old package whose
# holes all of them know; where none does, a line says that nothing was looked up.
audit: .venv/audit/made
	@rm -rf .venv/audit/cache && echo Django==3.2.0 > .venv/audit/holed.txt; \
	for service in $(ADVISORIES); do \
		ask="$(AUDIT) --vulnerability-service $$service"; \
		$$ask -r .venv/audit/holed.txt 2>&1 | grep -q '^Found .* known vulnerabilit' || continue; \
		$$ask --strict -r $(AUDITED); exit; \
	done; \
	echo "NOT AUDITED: no service of advisories answers ($(ADVISORIES)), so no pinned package was looked up." >&2

clean:
	rm -rf .venv clients/python/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp for each list of pins: pip runs only when its list has changed.

.venv/play: requirements.txt .venv/made
	@echo "Installing the pinned packages into .venv ..."
	@$(PIP) -r $<
	@touch $@

.venv/dev: requirements-dev.txt .venv/play
	@echo "Installing the pinned packages of the tests into .venv ..."
	@$(PIP) -r $<
	@touch $@

.venv/bench: requirements-bench.txt .venv/dev
	@$(PIP) -r $<
	@touch $@

# Node comes with npm as a package of Python's; npm installs what the lock file names, beside the virtual environment.
.venv/generators/made: requirements-generators.txt tests/generators/package-lock.json .venv/made
	@$(PYTHON) -m venv --clear --without-pip .venv/generators
	@$(VENV) -m pip --python .venv/generators/bin/python install -qq --no-compile --disable-pip-version-check -r $<
	@cp tests/generators/package.json tests/generators/package-lock.json .venv/generators
	@cd .venv/generators && PATH="$$PWD/bin:$$PATH" npm ci --silent --ignore-scripts --no-audit --no-fund
	@touch $@

.venv/audit/made: requirements-audit.txt .venv/made
	@$(PYTHON) -m venv --clear --without-pip .venv/audit
	@$(VENV) -m pip --python .venv/audit/bin/python install -qq --no-compile --disable-pip-version-check -r $<
	@touch $@

.venv/made: | python
	@$(PYTHON) -m venv --clear .venv
	@touch $@

python:
	@command -v $(PYTHON) > /dev/null || \
	{ echo "Sirdar needs Python 3.11 or later: there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "Sirdar needs Python 3.11 or later: $(PYTHON) is $$($(PYTHON) -V 2>&1)." >&2; exit 1; }
	@$(HAS_VENV) || \
	{ echo "Python's venv module is missing: install it with 'apt install python3-venv'." >&2; exit 1; }

browser:
	@{ $(HAS_BROWSER) && $(HAS_ATOMIC) && command -v curl > /dev/null; } || \
	{ echo "The tests need a browser and curl: install them with 'apt install chromium-headless-shell libatomic1 curl'." >&2; exit 1; }

servers:
	@{ $(HAS_POSTGRES) && $(HAS_REDIS) && $(HAS_NGINX) && $(HAS_CADDY) && $(HAS_WRK); } || \
	{ echo "The tests need PostgreSQL, Redis, nginx, Caddy and wrk: install them with 'apt install postgresql redis-server nginx caddy wrk'." >&2; exit 1; }

clocks:
	@$(HAS_FAKETIME) || \
	{ echo "The tests of clocks need libfaketime: install it with 'apt install libfaketime'." >&2; exit 1; }

# On Debian as root what is missing is fetched; elsewhere, and without a network, the checks above say what to install.
# The shell of Chromium is fetched beside a Chromium that is there, for the tests of pages need less time with it.
system:
	@[ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null || exit 0; \
	wanted=; \
	$(HAS_VENV) || wanted="python3-venv"; \
	$(HAS_BROWSER) || wanted="$$wanted fonts-dejavu-core"; \
	$(HAS_SHELL) || wanted="$$wanted chromium-headless-shell"; \
	$(HAS_ATOMIC) || wanted="$$wanted libatomic1"; \
	command -v curl > /dev/null || wanted="$$wanted curl"; \
	$(HAS_POSTGRES) || wanted="$$wanted postgresql"; \
	$(HAS_REDIS) || wanted="$$wanted redis-server"; \
	$(HAS_NGINX) || wanted="$$wanted nginx"; \
	$(HAS_CADDY) || wanted="$$wanted caddy"; \
	$(HAS_WRK) || wanted="$$wanted wrk"; \
	$(HAS_FAKETIME) || wanted="$$wanted libfaketime"; \
	[ -z "$$wanted" ] && exit 0; \
	echo Installing $$wanted ...; \
	export DEBIAN_FRONTEND=noninteractive; \
	{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $$wanted > /dev/null; } || \
	echo "Not installed: $$wanted" >&2
