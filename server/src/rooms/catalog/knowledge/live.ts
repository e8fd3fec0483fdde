import { canFromBelow } from '#platform/http'
import { type LiveTopic, readTold } from '#platform/live'

/** `emergencies` hears of those that are declared and lifted, `knowledge` of items; also of the teams above one's own. */
export const knowledgeTopics: readonly LiveTopic[] = [
  topicOf('emergencies', 'emergency_changed'),
  topicOf('knowledge', 'knowledge_item_changed'),
]

function topicOf(kind: string, channel: string): LiveTopic {
  return {
    kind,
    of: 'nothing',
    channels: [channel],
    isByPermissions: true,
    mayFollow: async (caller) => caller.prefixes('knowledge.read').length > 0,
    read: async (payloads) =>
      payloads.map((payload) => {
        const { change, place, id } = readTold(payload)
        return { id, change, names: [''], isFor: (viewer) => canFromBelow(viewer, 'knowledge.read', place) }
      }),
  }
}
