import { definePlanner, finding, type Planner, precondition, startsIn, textIn } from '#platform/planning'

/** What a decision would do: of a step that asks for it, or about a run of a fork. */
export function approvalPlanners(findDoers: NonNullable<Planner['findDoers']>): readonly Planner[] {
  return [
    definePlanner({
      operation: 'decideApproval',
      // The route asks for run.read alone; the step names its approvers.
      findDoers,
      ask: ({ params }) => ({ operation: 'getRun', parts: { params: { id: params['id'] ?? '' } } }),
      describe({ call, asked, deeds }) {
        const { id = '', step = '' } = call.params
        const scope = textIn(asked, 'scope')
        const isApproval = textIn(call.body, 'decision') === 'approve'
        const [deed] = deeds
        const evidence = [{ kind: 'approval' as const, id: step, run_id: id }]
        const sentence = isApproval
          ? `Your approval of ${step} is stored for the run ${id}; the step goes on once enough approvals count.`
          : `${step} of the run ${id} is rejected; the run ends.`
        return {
          target: `approval ${id}/${step}`,
          effects: [
            finding(
              isApproval ? 'approval.approves' : 'approval.rejects',
              deed === undefined ? 'You have decided so before: nothing changes.' : sentence,
              evidence,
            ),
          ],
          scopes: scope === undefined ? [] : [scope],
          // Its version goes on, with all that comes after the step.
          starts: startsIn(asked),
        }
      },
      preconditions: ({ deeds: [deed] }) => [precondition('commit_sha', textIn(deed?.after, 'commit_sha'))],
    }),
  ]
}
