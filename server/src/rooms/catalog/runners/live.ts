import { type LiveTopic, readTold } from '#platform/live'

/** `runners` hears of runners that come, go, connect or are changed; heartbeats and attempts are not told. */
export const runnerTopics: readonly LiveTopic[] = [
  {
    kind: 'runners',
    of: 'nothing',
    channels: ['runner_changed'],
    isByPermissions: true,
    mayFollow: async (caller) => caller.prefixes('runner.read').length > 0,
    read: async (payloads) =>
      payloads.map((payload) => {
        const { change, place, id } = readTold(payload)
        return { id, change, names: [''], isFor: (viewer) => viewer.can('runner.read', place) }
      }),
  },
]
