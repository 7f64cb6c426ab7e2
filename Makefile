# The few commands everyone types. `make run` and `make test` need no preparation.

.PHONY: run test check portable build test-portable test-neon
.PHONY: banqi-tables banqi-match banqi-soak
.PHONY: perft check-oracle check-records check-referee check-clients check-tables check-kills fuzz soak chaos check-starved sanitize bench-perft bench-records bench-tb bench-games book-cuts
.PHONY: site npm test-wasm bench-wasm web web-types bench-web bench-cluster bench-cluster-delays check-cluster-kills
.PHONY: install uninstall deb dist check-dist check-old-cpu book pictures benchmarks papers
.PHONY: wheel test-python check-python

# One optimised profile serves every test, so nothing is compiled twice.
export CARGO_TERM_COLOR ?= auto

# The program alone: the workspace has more (the cluster's, the launcher of archives).
build:
	cargo build --release --locked --package chuhe

# The web app: the pages, the program around them, and a browser to look at them. The first time without the browser's own core,
# which compiles half of the program once more and serves only while the server is away; the next `make run` adds it.
run:
	@if [ -x target/release/chuhe ]; then $(MAKE) --no-print-directory web build; else \
	  echo "The first build compiles about 180 packages: some two minutes on two cores. The next one adds the core with which pages play on without the server."; \
	  CHUHE_SKIP=wasm $(MAKE) --no-print-directory web build; fi
	./target/release/chuhe serve --open

# The program, the starter collection, completions and manual pages: `make install PREFIX=$$HOME/.local`, or as root into /usr/local.
PREFIX ?= /usr/local
share = $(DESTDIR)$(PREFIX)/share
install: target/release/chuhe
	install -D -m 755 target/release/chuhe $(DESTDIR)$(PREFIX)/bin/chuhe
	install -D -m 644 share/chuhe/starter.games $(share)/chuhe/starter.games
	install -d $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	target/release/chuhe completions bash > $(share)/bash-completion/completions/chuhe
	target/release/chuhe completions zsh > $(share)/zsh/site-functions/_chuhe
	target/release/chuhe completions fish > $(share)/fish/vendor_completions.d/chuhe.fish
	target/release/chuhe man $(share)/man/man1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/chuhe $(share)/bash-completion/completions/chuhe $(share)/zsh/site-functions/_chuhe
	rm -f $(share)/chuhe/starter.games $(share)/fish/vendor_completions.d/chuhe.fish $(share)/man/man1/chuhe.1 $(share)/man/man1/chuhe-*.1

# Only what is missing is built, so that root installs what the user built. The program of a first `make run` lacks the core.
target/release/chuhe: web/dist/core
	CHUHE_COMMIT=$$(git rev-parse --short=10 HEAD) cargo build --release --locked --package chuhe

web/dist/core:
	$(MAKE) --no-print-directory web

# Debian's package, with both code levels, in target/dist.
deb:
	tools/dist linux-x86_64 deb

# Archives for every system in target/dist, with checksums, licence texts and a bill of materials.
dist:
	tools/dist

# The programs of the archives at work: here, on an emulated old CPU, under wine, on an emulated ARM CPU.
check-dist:
	tools/check-dist

# The default build on an emulated CPU of 2008: one sentence, not an illegal instruction (wants qemu-user).
check-old-cpu: build
	tools/check-old-cpu target/release/chuhe

# The documentation as a searchable book in target/book (wants mdbook: `cargo install mdbook`).
book:
	tools/book

# The picture of the README, from the real app.
pictures: web build
	tools/web pictures ../target/release/chuhe

# Every figure that we state, into docs/benchmarks.md; hours, and goes on where it was stopped.
benchmarks: web build
	tools/benchmarks

# The claims of our papers beside our figures, into docs/papers; hours, and goes on where it was stopped.
papers: build
	tools/papers

# The pages, in web/dist; they become part of the program when it is built next.
web:
	tools/web build

# The browser's types, written anew after a change of the server's.
web-types:
	CHUHE_WRITE_TYPES=1 tools/nextest --package chuhe-server the_browser_knows_the_same_types

# The web app as static files for any web host, in target/site; and the npm package, in target/npm. See docs/browser.md.
site:
	tools/web site

npm:
	tools/wasm npm

# The whole workspace with the Python package: the same features in every stage, so that nothing is compiled twice.
WHOLE = --workspace --features chuhe-python/extension --locked

# Everything a change must pass, with the time each stage took.
test:
	@tools/stages \
	  "format:cargo fmt --all --check" \
	  "lint:cargo clippy $(WHOLE) --all-targets -- -D warnings" \
	  "tests:tools/nextest $(WHOLE)" \
	  "doc tests:cargo test $(WHOLE) --doc --quiet" \
	  "docs:RUSTDOCFLAGS='-D warnings' cargo doc $(WHOLE) --no-deps --quiet" \
	  "pages:tools/web check && tools/web build" \
	  "python:tools/test-python" \
	  "browser:cargo build $(WHOLE) --quiet && tools/web browser" \
	  "cluster:tools/test-cluster" \
	  "wasm:[ \"$$CHUHE_SKIP\" = wasm ] || { tools/wasm test && tools/web site && tools/web site-test; }"

# The quick part of it, for between two edits.
check:
	@tools/stages \
	  "format:cargo fmt --all --check" \
	  "lint:cargo clippy --workspace --all-targets -- -D warnings" \
	  "unit tests:tools/nextest --workspace --lib"

# The WebAssembly module under Node beside the native program, and the static site in Chromium without a network.
test-wasm:
	tools/wasm test
	tools/web site
	tools/web site-test

# The module's speed beside the native program in the same run, its first answer and its first line. Wants a quiet machine.
bench-wasm:
	tools/wasm bench

# For CPUs without AVX2 and BMI2.
portable:
	RUSTFLAGS="-C target-cpu=x86-64" cargo build --release --target-dir target/portable

# The board's tests as such a CPU runs them.
test-portable:
	RUSTFLAGS="-C target-cpu=x86-64" tools/nextest --package chuhe-board --target-dir target/portable

# The network's loops on an emulated ARM CPU; wants gcc-aarch64-linux-gnu, qemu-user and Rust's target
# aarch64-unknown-linux-gnu.
test-neon:
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
	CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
	cargo test --target aarch64-unknown-linux-gnu --package chuhe-eval --lib network

# The perft suites to their full depth.
perft:
	CHUHE_PERFT_LIMIT=1000000000 tools/nextest --package chuhe-board --test perft

# The legal moves of 100,000 positions against an outside judge, Fairy-Stockfish's Python package.
check-oracle:
	tools/check_oracle.py --positions 100000

# Every law on anything at all, a minute each; FUZZ_SECONDS=600 for longer.
fuzz:
	tools/fuzz

# How fast positions are counted, beside Debian's fairy-stockfish and other ways in the same run.
bench-perft:
	cargo bench --package chuhe-board --bench perft

# The records that we write, read by an independent program; and those of other programs, read by us.
check-records:
	tools/check-records

# How many games a second are converted.
bench-records:
	tools/bench-records

# How fast endgames are built, verified and looked up, and how much room they take.
bench-tb:
	cargo run --release -p chuhe-tablebase --example bench_tb -- KR-KAABB KRN-KAABB

# The long tests of endgames: theory that needs large tables, perpetual check and chase against their definitions, play-outs.
check-tables:
	cargo test --release -p chuhe-tablebase -- --ignored
	cargo test --release -p chuhe-adapters -- --ignored

# Builds of tables and a growing book killed at random, resumed and compared with undisturbed ones.
check-kills: build
	tools/check-kills
	RULES=wxf tools/check-kills 30 KR-KNA KN-KP
	tools/check-book-kills

# A collection of many games: how long importing and searching take. LIST is a list of games, one a line.
COUNT ?= 1000000
DB ?= target/many-games.db
bench-games:
	cargo run --release --package chuhe-collection --example many_games -- $(LIST) $(COUNT) $(DB)

# A book of the games in LIST: how fast it is built, and which shares are cut for N = 1 to 4.
book-cuts: build
	tools/book-cuts $(LIST)

# The referee against Fairy-Stockfish on random cyclic games (needs the Python package pyffish).
check-referee:
	@tools/check-referee

# Fast games of the engine against itself, UCI and UCCI, one to four threads: none may be lost by an illegal move, a crash or
# the clock, nor be judged differently by pyffish.
GAMES ?= 1000
soak: build
	tools/soak $(GAMES)
	tools/record-figures soak target/soak/table.md

# 50 visitors beside abusers of every kind, an hour; goes on where it was interrupted (target/chaos).
CHAOS_SECONDS ?= 3600
chaos: build
	cargo run --release --package chuhe-server --example chaos -- target/release/chuhe $(CHAOS_SECONDS); \
	  status=$$?; tools/record-figures chaos target/chaos/table.md; exit $$status

# How late a move comes while 300 other programs want the processor, beside Debian's fairy-stockfish.
check-starved: build
	tools/check-starved target/release/chuhe

# Tests around unsafe code and shared memory under sanitizers and Miri (nightly compiler).
sanitize:
	tools/sanitize

# Real clients drive the engine: xboard under Xvfb and Python's cchess.
check-clients: build
	tools/check-clients

# Banqi's perfect endgames, into the user's tables; the other two use them.
banqi-tables: build
	./target/release/chuhe banqi tb build
	./target/release/chuhe banqi tb verify --every 37

# Banqi: our engine against the food-chain engine (Hsieh 2010), 100 ms a move by Olympiad rules, every deal from both ends.
BANQI_GAMES ?= 400
banqi-match: build
	./target/release/chuhe banqi match full foodchain --games $(BANQI_GAMES) --movetime 100 --seed 20001 \
	  --journal target/banqi-match.txt

# Banqi: games at 60 s through the text protocol; none may be forfeited.
banqi-soak: build
	./target/release/chuhe banqi match "cmd:./target/release/chuhe banqi engine" foodchain --clock 60 --games 100 \
	  --journal target/banqi-soak.txt --json | tee target/banqi-soak.json
	grep -q '"forfeits":{"time":0,"illegal":0,"crash":0}' target/banqi-soak.json

# The Python package as a wheel in target/wheels, for Python 3.9 and later.
wheel:
	tools/wheel

# The Python package's tests alone.
test-python:
	tools/test-python

# The wheel beside pyffish and cchess: the same answers, how much faster, no growth, ten minutes of random bytes.
FUZZ_SECONDS ?= 600
check-python: wheel
	tools/check-python --seconds $(FUZZ_SECONDS)

# Fifty visitors at once, a closed tab, and the first paint.
bench-web: web build
	cargo run --release --package chuhe-server --example visitors -- target/release/chuhe
	tools/web paint ../target/release/chuhe

# What a second rank gains, and a match of two ranks against one (needs MPI; see docs/cluster.md).
bench-cluster:
	tools/install-mpi
	cargo build --release --package chuhe --package chuhe-mpi --features chuhe-mpi/mpi
	tools/bench-cluster

# Star, ring and tree on four ranks in network namespaces with delays between them, and a rank killed in mid-search. Wants root; a
# run that is stopped goes on (target/cluster-delays).
bench-cluster-delays:
	tools/install-mpi
	cargo build --release --package chuhe-mpi --features chuhe-mpi/mpi
	tools/bench-cluster --delays 0,0.1,1,5 --depth 18 --positions 24

# A match of a supervised cluster whose ranks are killed: none may be forfeited.
check-cluster-kills:
	tools/install-mpi
	cargo build --release --package chuhe --package chuhe-mpi --features chuhe-mpi/mpi
	tools/check-cluster-kills --games 20
