import {
  type Deed,
  definePlanner,
  finding,
  type PlannedCall,
  type Planner,
  precondition,
  type Rehearsed,
  startsIn,
  textIn,
} from '#platform/planning'

/** What a write of a schedule, or a start by hand, would do. */
export const schedulePlanners: readonly Planner[] = [
  definePlanner({ operation: 'createSchedule', describe, preconditions: () => [] }),
  definePlanner({ operation: 'replaceSchedule', describe, preconditions }),
  definePlanner({ operation: 'updateSchedule', describe, preconditions }),
  definePlanner({ operation: 'deleteSchedule', describe, preconditions }),
  definePlanner({ operation: 'enableSchedule', ask, describe, preconditions }),
  definePlanner({ operation: 'disableSchedule', ask, describe, preconditions }),
  definePlanner({
    operation: 'runSchedule',
    ask,
    describe({ asked, deeds: [deed] }) {
      const [pipeline, scope] = [textIn(deed?.after, 'pipeline'), textIn(deed?.after, 'scope')]
      const sentence = `A run of ${pipeline} starts now in ${scope}; the next instant of the schedule stays.`
      return {
        target: `schedule ${textIn(asked, 'identifier') ?? deed?.resource.id ?? ''}`,
        effects: [finding('schedule.runs', sentence, evidenceOf(deed))],
        scopes: scope === undefined ? [] : [scope],
        starts: startsIn(deed?.after),
      }
    },
    preconditions: ({ deeds: [deed] }) => [
      precondition('pipeline_version', textIn(deed?.after, 'version')),
      precondition('scope', textIn(deed?.after, 'scope')),
    ],
  }),
]

function ask({ params }: PlannedCall) {
  return { operation: 'getSchedule', parts: { params } }
}

function describe({ asked, deeds: [deed] }: Rehearsed) {
  if (!deed) {
    const stays = finding(
      'schedule.stays',
      `It is ${textIn(asked, 'enabled') === 'true' ? 'enabled' : 'disabled'} already: nothing changes.`,
    )
    return { target: `schedule ${textIn(asked, 'identifier') ?? ''}`, effects: [stays], scopes: [] }
  }
  const { before, after } = deed
  const scopes = [textIn(before, 'scope'), textIn(after, 'scope')].filter((scope) => scope !== undefined)
  return {
    target: `schedule ${textIn(before, 'identifier') ?? textIn(after, 'identifier') ?? ''}`,
    effects: sentencesOf(deed).map(([code, text]) => finding(code, text, evidenceOf(deed))),
    scopes: [...new Set(scopes)],
    starts: startsIn(before, after),
  }
}

function sentencesOf({ action, before, after }: Deed): readonly (readonly [string, string])[] {
  const starts = (state: unknown): string => `${textIn(state, 'pipeline')} in ${textIn(state, 'scope')}`
  const name = textIn(before, 'identifier') ?? textIn(after, 'identifier') ?? ''
  if (textIn(after, 'pipeline') === undefined) {
    return [['schedule.is_deleted', `${name} fires no more, and its history goes; its runs go on.`]]
  }
  const found: (readonly [string, string])[] = []
  if (textIn(before, 'pipeline') === undefined) found.push(['schedule.is_created', `${name} starts ${starts(after)}.`])
  else if (starts(before) === starts(after))
    found.push(['schedule.is_changed', `${name} still starts ${starts(after)}.`])
  else found.push(['schedule.starts_another', `${name} starts ${starts(after)}, and no longer ${starts(before)}.`])
  const next = textIn(after, 'next_fire_at')
  if (textIn(after, 'enabled') === 'false') found.push(['schedule.is_disabled', 'It is disabled: it does not fire.'])
  else if (next === undefined) found.push(['schedule.never_fires', 'It has no instant ahead.'])
  else found.push(['schedule.fires_next', `Its next instant is ${next}.`])
  if (action === 'schedule.disabled') found.push(['schedule.owner', 'Its owner stays.'])
  else found.push(['schedule.owner', 'Its runs start on behalf of the planner, who becomes its owner.'])
  return found
}

/** Firing changes no updated_at: what people wrote is the same. */
function preconditions({ deeds: [deed] }: Rehearsed) {
  return [precondition('updated_at', textIn(deed?.before, 'updated_at'))]
}

function evidenceOf(deed: Deed | undefined) {
  return deed === undefined ? [] : [{ kind: 'schedule' as const, id: deed.resource.id }]
}
