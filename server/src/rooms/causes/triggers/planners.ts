import {
  type Deed,
  definePlanner,
  fieldOf,
  finding,
  type Planner,
  precondition,
  type Rehearsed,
  startsIn,
  textIn,
} from '#platform/planning'

/** What a write of a trigger would do. */
export const triggerPlanners: readonly Planner[] = [
  definePlanner({ operation: 'createTrigger', describe, preconditions: () => [] }),
  definePlanner({ operation: 'replaceTrigger', describe, preconditions }),
  definePlanner({
    operation: 'updateTrigger',
    ask: ({ params }) => ({ operation: 'getTrigger', parts: { params } }),
    describe,
    preconditions,
  }),
  definePlanner({ operation: 'deleteTrigger', describe, preconditions }),
]

function describe({ asked, deeds: [deed] }: Rehearsed) {
  if (!deed) {
    const target = `trigger ${textIn(asked, 'team_path')}/${textIn(asked, 'name')}`
    return { target, effects: [finding('trigger.stays', 'It is disabled already: nothing changes.')], scopes: [] }
  }
  const { before, after, resource, teamPath } = deed
  const scopes = [textIn(before, 'scope'), textIn(after, 'scope')].filter((scope) => scope !== undefined)
  return {
    target: `trigger ${teamPath}/${textIn(before ?? after, 'name') ?? resource.id}`,
    effects: sentencesOf(deed).map(([code, sentence]) =>
      finding(code, sentence, [{ kind: 'trigger', id: resource.id }]),
    ),
    scopes: [...new Set(scopes)],
    starts: startsIn(before, after),
  }
}

function sentencesOf({ before, after }: Deed): readonly (readonly [string, string])[] {
  const starts = (state: unknown): string => `${textIn(state, 'pipeline')} in ${textIn(state, 'scope')}`
  const isOff = (state: unknown): boolean => textIn(state, 'enabled') === 'false'
  if (after === null || after === undefined || textIn(after, 'pipeline') === undefined) {
    return [['trigger.is_deleted', `Events start ${starts(before)} by it no more; its runs go on.`]]
  }
  const found: (readonly [string, string])[] = []
  if (textIn(before, 'pipeline') === undefined) {
    found.push(['trigger.is_created', `Events that meet its conditions start ${starts(after)}.`])
  } else if (starts(before) === starts(after)) {
    found.push(['trigger.is_changed', `It still starts ${starts(after)}; the arguments say what changes.`])
  } else {
    found.push(['trigger.starts_another', `It starts ${starts(after)} from then on, and no longer ${starts(before)}.`])
  }
  if (isOff(after)) found.push(['trigger.is_disabled', 'It is disabled: nothing starts by it.'])
  else if (isOff(before)) found.push(['trigger.is_enabled', 'It is enabled again.'])
  const ownerOf = (state: unknown): string | undefined => textIn(fieldOf(state, 'owner'), 'id')
  const hasMoved = ownerOf(before) !== ownerOf(after)
  if (isOff(after) && !hasMoved) found.push(['trigger.owner', 'Its owner stays.'])
  else found.push(['trigger.owner', 'Its runs start on behalf of the planner, who becomes its owner.'])
  return found
}

function preconditions({ deeds: [deed] }: Rehearsed) {
  return [precondition('updated_at', textIn(deed?.before, 'updated_at'))]
}
