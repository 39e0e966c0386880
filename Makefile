# SPDX-License-Identifier: GPL-2.0-only
# The front door. Each target sets up what it needs, so it works on a bare Debian 12.

BUILD = build

.PHONY: all demo check bench soak build asan format tidy clean

all: build

demo: build
	@tools/demo $(BUILD)

check:
	@tools/setup build check vm
	@tools/check

soak:
	@tools/setup build check vm
	@tools/check --soak

bench: build
	@tools/setup bench || :
	@tools/bench $(BUILD)

build:
	@tools/setup build
	@CC=gcc tools/configure $(BUILD)
	@ninja -C $(BUILD)

asan:
	@tools/setup build check
	@tools/check --only asan

format:
	@tools/setup build check
	@tools/check-format --fix

tidy: build
	@tools/setup build check
	@tools/check-tidy $(BUILD)

clean:
	rm -rf build build-*
