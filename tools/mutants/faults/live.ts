import type { FaultyFile } from '../fault.ts'

export const live: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/front/live/hub/audiences.ts',
    tests: ['server/src/rooms/front/live/hub/hub.test.ts'],
    faults: [
      ['snapshot.subject(kind, id, token?.limits && token)', 'snapshot.subject(kind, id)'],
      ['token?.limits ? `${kind}:${id}:${token.id}` : `${kind}:${id}`', '`${kind}:${id}`'],
      ['viewer.token?.limits ? account : JSON.stringify', 'JSON.stringify'],
    ],
  },
  {
    file: 'server/src/rooms/front/live/hub/hub.ts',
    tests: ['server/src/live.test.ts'],
    faults: [
      ['if (!isFor) continue', ''],
      [' || (number < this.#newest && this.#rights !== snapshot.revision)', ''],
      ["if (!this.#kit.database.notifications.isAway()) this.#notifyAll('reset')", ''],
      ['if (position?.epoch !== this.#epoch) return undefined', 'if (!position) return undefined'],
    ],
  },
  {
    file: 'server/src/rooms/front/live/hub/live-stream.ts',
    tests: ['server/src/rooms/front/live/hub/hub.test.ts'],
    faults: [
      ["if (!isFirst) this.notify('reset')", ''],
      ['this.#told.set(text, now)', ''],
    ],
  },
  {
    file: 'server/src/rooms/front/live/actions/follow-changes.ts',
    tests: ['server/src/live.test.ts'],
    faults: [
      ['if (open.take(caller, signal)) return', 'if (signal) return', ['server/src/live-streams.test.ts']],
      ['if (await kinds.get(topic.kind)?.mayFollow(caller, topic.name)) return', 'return'],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/live.ts',
    tests: ['server/src/live.test.ts'],
    faults: [[' && refusalOf(candidateOf(snapshot, viewer), request) === null', '']],
  },
]
