import type { FaultyFile } from '../fault.ts'

export const runner: readonly FaultyFile[] = [
  {
    file: 'runner/src/attempts/attempt-state.ts',
    tests: ['runner/src/attempts/attempt.test.ts'],
    faults: [
      [
        "    case 'lease_over':\n      return phase === 'preparing' || phase === 'running' ? to('gone', 'kill', 'forget')",
        "    case 'lease_over':\n      return phase === 'preparing' || phase === 'running' ? to('gone', 'forget')",
      ],
      [
        "      if (phase === 'gone') return stay\n      return phase === 'preparing' || phase === 'running' ? to('gone', 'kill', 'forget')",
        "      if (phase === 'gone') return stay\n      return phase === 'preparing' || phase === 'running' ? to('gone', 'forget')",
      ],
    ],
  },
  {
    file: 'runner/src/attempts/attempt.ts',
    tests: ['runner/src/attempts/attempt.test.ts'],
    faults: [
      ['reason: this.#values.mask(reason),', 'reason,'],
      [
        "if (this.#buffer.unacknowledged === 0) this.#apply({ kind: 'acknowledged' })",
        "this.#apply({ kind: 'acknowledged' })",
      ],
      ["          this.#execution?.signal('SIGKILL')\n          break", '          break'],
      [
        "if (!this.#assign.stopWhenLeaseEnds || this.#state.phase === 'gone') return false",
        "if (this.#state.phase === 'gone') return false",
      ],
      ['if (this.#finishAcknowledged) this.acknowledgeFinish()', ''],
      ['    this.#reportSent = false\n    this.#log.resume()', '    this.#log.resume()'],
      ['    this.#startedSent = false\n', ''],
      ["const passwords = [assign.checkout?.password ?? '', ", 'const passwords = ['],
      ["this.#grace = this.#needs.time.after(grace * 1000, () => this.#execution?.signal('SIGKILL'))", ''],
    ],
  },
  {
    file: 'runner/src/attempts/attempts-in-hand.ts',
    tests: ['runner/src/connection/session.test.ts'],
    faults: [['if (this.#attempts.has(assign.fence)) return', '']],
  },
  {
    file: 'runner/src/checkout/git-settings.ts',
    tests: ['runner/src/checkout/git-settings.test.ts'],
    faults: [
      ['"Password for \'$SIGNALBOX_GIT_SCHEME://"*"@$SIGNALBOX_GIT_HOST\'"*|', '"Password for \'"*|'],
      ['"Username for \'$SIGNALBOX_GIT_ORIGIN\'"*|', '"Username for \'"*|'],
      [
        "if (credential.password === '' || credential.origin === undefined) return environment",
        'if (credential.origin === undefined) return environment',
      ],
    ],
  },
  {
    file: 'runner/src/connection/session.ts',
    tests: ['runner/src/connection/session.test.ts'],
    faults: [
      ['draining: this.#draining,', 'draining: false,'],
      [
        '    this.#lose(lost)\n    for (const { fence, nextLine } of welcome.resume) {',
        '    for (const { fence, nextLine } of welcome.resume) {',
      ],
      ['    if (this.#draining) this.#announceDrain()\n    else this.#beat()', '    this.#beat()'],
      ['if (since !== undefined && time.monotonic() - since >= SILENT_HEARTBEATS * heartbeatMs) {', 'if (false) {'],
      ['begun: attempts.givenUp(),', 'begun: [],'],
    ],
  },
  {
    file: 'runner/src/connection/session.ts',
    tests: ['runner/src/connection/session-leases.test.ts'],
    faults: [
      ['leases.begin(kind.value.fence, this.#heardAt)', 'leases.begin(kind.value.fence, this.#needs.time.monotonic())'],
      ['leases.begin(fence, this.#heardAt)', 'leases.begin(fence, this.#needs.time.monotonic())'],
      [
        'this.#heardAt = this.#needs.leases.accept(sequence, lost) ?? this.#heardAt',
        'this.#needs.leases.accept(sequence, lost)',
      ],
    ],
  },
  {
    file: 'runner/src/lease/lease-clock.ts',
    tests: ['runner/src/lease/lease-clock.test.ts'],
    faults: [
      ['this.#renewedAt.set(fence, heartbeat.at)\n    }', 'this.#renewedAt.set(fence, heartbeat.at + 5000)\n    }'],
      ['if (!lost.includes(fence) && this.#renewedAt.has(fence))', 'if (this.#renewedAt.has(fence))'],
    ],
  },
  {
    file: 'runner/src/lease/lease-watch.ts',
    tests: ['runner/src/lease/lease-watch.test.ts'],
    faults: [
      ['const STRICT_SHARE = 0.9', 'const STRICT_SHARE = 1'],
      ['      warned.clear()\n      return\n', '      warned.clear()\n'],
    ],
  },
  {
    file: 'runner/src/checkout/mirrors/from-mirror.ts',
    tests: ['runner/src/checkout/mirrors/mirrors.test.ts'],
    faults: [
      ['mirrorKey([scope, remote.url, username, password,', 'mirrorKey([remote.url, username, password,'],
      ['mirrorKey([scope, remote.url, username, password,', 'mirrorKey([scope, remote.url, username,'],
      ['mirrorKey([scope, remote.url, username, password,', 'mirrorKey([scope, remote.url, password,'],
      ['allowed: known ? ask() : Promise.resolve(undefined)', 'allowed: Promise.resolve(undefined)'],
      ['    mirror.spoilt = true\n    const fetched', '    const fetched'],
    ],
  },
  {
    file: 'runner/src/checkout/mirrors/mirrors.ts',
    tests: ['runner/src/checkout/mirrors/mirrors.test.ts'],
    faults: [
      ['if (shelf.mirror?.spoilt) await this.#clear(shelf)', ''],
      ['      if (shelf.users > 0) continue\n', ''],
      ['await Promise.race([before, untilAborted(signal)])', ''],
    ],
  },
  {
    file: 'runner/src/checkout/checkout.ts',
    tests: ['runner/src/checkout/mirrors/mirrors.test.ts'],
    faults: [
      ['    if (refused !== undefined) return refused\n', ''],
      ['    if (failed.mayHelp) lent.mirror.spoilt = true\n', ''],
      [
        'const login = owner === undefined ? request : NO_LOGIN',
        'const login = request',
        ['runner/src/checkout/mirrors/fetch-apart.test.ts'],
      ],
      ['if (remote === undefined) return OUTSIDE', '', ['runner/src/checkout/local-repositories.test.ts']],
    ],
  },
  {
    file: 'runner/src/executors/workspace/owned-folders.ts',
    tests: ['runner/src/executors/workspace/stuck-workspaces.test.ts'],
    faults: [
      ['if (owner !== undefined && !this.#spoiled.has(owner.uid)) this', 'if (owner !== undefined) this'],
      [
        'if (this.#removals.size === 0) return undefined',
        'return undefined',
        ['runner/src/executors/workspace/account-turns.test.ts'],
      ],
    ],
  },
  {
    file: 'runner/src/executors/workspace/shared-places.ts',
    tests: ['runner/src/executors/workspace/workspaces.test.ts'],
    faults: [
      ['if (begun && !place.kept) return { problem: isGone(key.step) }', ''],
      ['if (!place.kept || place.closed) await this.#remove(place)', 'if (!place.kept) await this.#remove(place)'],
      ['if (!place.kept || place.closed) await this.#remove(place)', 'if (place.closed) await this.#remove(place)'],
    ],
  },
  {
    file: 'runner/src/executors/workspace/workspaces.ts',
    tests: ['runner/src/executors/workspace/workspaces.test.ts'],
    faults: [
      ['if (sharedWorkspace === undefined) return this.#openOwn(prepare)', ''],
      ['    stay.keep()\n', ''],
      ['    if (!stay.isFresh) return { workspace }\n', ''],
    ],
  },
]
