import type { FaultyFile } from '../fault.ts'

const HOSTILE = 'server/src/hostile-plans.test.ts'

export const plans: readonly FaultyFile[] = [
  {
    file: 'server/src/rooms/front/plans/rules/standing.ts',
    tests: [HOSTILE],
    faults: [
      ['plan.tokenId === looker.tokenId && plan.sessionId === looker.sessionId', 'true'],
      ['const seesOwn = isOwn && (hasCredential || !looker.isLimited)', 'const seesOwn = isOwn'],
      ["looker.kind === 'user' && !isOwn && looker.mayDoIt", "looker.kind === 'user' && !isOwn"],
      ["looker.kind === 'user' && !isOwn && looker.mayDoIt", '!isOwn && looker.mayDoIt'],
      ["const wasAsked = plan.confirmation === 'person' && plan.status !== 'waiting'", 'const wasAsked = true'],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/rules/judge-confirmation.ts',
    tests: [HOSTILE],
    faults: [['const scope = reached.scopes.find(isProtected)', 'const scope = reached.scopes.find(() => false)']],
  },
  {
    file: 'server/src/rooms/front/plans/actions/find-plan.ts',
    tests: [HOSTILE],
    faults: [
      ['if (!planner?.findDoers) continue', 'if (planner) continue'],
      ['else found.set(plan.id, NOBODY)', ''],
      ['standing.mayConfirm && given !== undefined', 'standing.mayConfirm'],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/actions/judge-reach.ts',
    tests: [HOSTILE],
    faults: [["|| viewer.can('environment.read', place.slice(0, place.lastIndexOf('/')))", '|| place']],
  },
  {
    file: 'server/src/rooms/catalog/pipelines/actions/reach-scopes.ts',
    tests: [HOSTILE],
    faults: [
      ['if (step.scope !== null) scopes.add(step.scope)', ''],
      ['const children = childrenOf(graph)', 'const children = childrenOf(graph).slice(0, 0)'],
      ['if (pinned) {', 'if (false) {'],
    ],
  },
  {
    file: 'server/src/rooms/causes/overrides/actions/foresee-delete.ts',
    tests: [HOSTILE],
    faults: [
      ['others.some((override) => !canSee(caller, override)) ||', 'false ||'],
      ["triggers.some(({ teamPath }) => !caller.can('trigger.read', teamPath)) ||", 'false ||'],
      ["manifestTeams.some((teamPath) => !caller.can('webhook_source.read', teamPath))", 'false'],
      ['[...others, ...triggers].map(', 'others.map('],
      ["[teamPath === '/' ? '**' : `${teamPath}/**`]", '[]'],
    ],
  },
  {
    file: 'server/src/rooms/execution/approvals/actions/find-doers.ts',
    tests: [HOSTILE],
    faults: [
      ['refusalOf(candidateOf(snapshot, viewer), request) === null', 'true'],
      ["means.access.isWithinLimits(viewer, 'run.approve', request.teamPath) &&", 'true &&'],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/live.ts',
    tests: [HOSTILE],
    faults: [['lookAt.get(place)?.(viewer).standing.maySee === true', 'lookAt.has(place)']],
  },
  {
    file: 'server/src/rooms/front/plans/actions/rehearse-write.ts',
    tests: [HOSTILE],
    faults: [['`plan:${planId}:foreseen`', "'foreseen'"]],
  },
  {
    file: 'server/src/rooms/front/plans/actions/renew-plan.ts',
    tests: [HOSTILE],
    faults: [
      ['isOwn ? replacedBy : undefined', 'replacedBy'],
      ['replacedBy }))) return false', 'replacedBy }))) {}'],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/actions/present-plan.ts',
    tests: [HOSTILE],
    faults: [['standing.isOwn ? plan.replacedBy : null', 'plan.replacedBy']],
  },
  {
    file: 'server/src/rooms/front/mcp/actions/seal-state.ts',
    tests: ['server/src/rooms/front/mcp/actions/seal-state.test.ts'],
    faults: [
      ["if (new Date(until) <= clock.now()) throw new StateRefused('the state is over')", ''],
      ['tool, digestOf(input)])', "'confirm_plan'])"],
      ['token?.id ?? null, tool', 'tool', ['server/src/plan-tools.test.ts']],
    ],
  },
  {
    file: 'server/src/rooms/front/mcp/actions/make-offer.ts',
    tests: ['server/src/plan-tools.test.ts'],
    faults: [['if (request.state !== undefined)\n', 'if (false)\n']],
  },
  {
    file: 'server/src/rooms/front/mcp/actions/call-tool.ts',
    tests: ['server/src/plan-tools.test.ts'],
    faults: [['opensPages !== true || state', 'state']],
  },
  {
    file: 'server/src/rooms/front/plans/tools/confirm.ts',
    tests: ['server/src/plan-tools.test.ts'],
    faults: [["...(before.status === 'waiting' ? {", '...(before ? {']],
  },
  {
    file: 'server/src/platform/crypto/sealer.ts',
    tests: ['server/src/platform/crypto/sealer.test.ts'],
    faults: [['JSON.stringify([context, text])', 'context + text']],
  },
  {
    file: 'server/src/rooms/causes/sources/actions/foresee-replay.ts',
    tests: [HOSTILE],
    faults: [['const isHidden = rules.some((rule) => !maySeeRule(rule, origin.caller))', 'const isHidden = false']],
  },
  {
    file: 'server/src/rooms/front/plans/store.ts',
    tests: [HOSTILE],
    faults: [
      [
        "and status = case when $5::text is null then 'waiting' else 'waiting_for_person' end",
        "and status <> 'refused'",
      ],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/actions/carry-out.ts',
    tests: [HOSTILE],
    faults: [
      ['requireSame(plan, writing, deeds)', ''],
      ['if (!(await means.access.holdRights(tx, judgedAt))) throw new RightsChanged()', ''],
      ['if (rows.length === 0) throw new PlanNotOpen()', ''],
      ['if (!actor || hasEnded) {', 'if (!actor) {'],
      ['if (planner.isAsked) await requireForeseen(means, as, { plan, planner, call })', ''],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/actions/confirm-plan.ts',
    tests: [HOSTILE],
    faults: [
      ['if (!standing.hasCredential) {', 'if (false) {'],
      ["if (confirmation === 'person') await askPerson(", "if (reason === '') await askPerson("],
      ['scopes: [...plan.scopes, ...scopes],', 'scopes: plan.scopes,'],
      ['if (error instanceof PlanNotOpen || isOver) return', 'if (error instanceof PlanNotOpen) return'],
      ['seen.standing.isOwn ? seen.plan.replacedBy : undefined', 'seen.plan.replacedBy'],
    ],
  },
  {
    file: 'server/src/rooms/front/plans/actions/decide-plan.ts',
    tests: [HOSTILE],
    faults: [
      ['if (standing.isOwn) {', 'if (false) {'],
      ['if (isOpen(plan, at) && !standing.mayRefuse) throw', 'if (false) throw'],
    ],
  },
  {
    file: 'server/src/rooms/foundation/access/actions/act-as.ts',
    tests: [HOSTILE],
    faults: [['row?.revokedAt !== null || ', 'row === undefined || ']],
  },
  {
    file: 'server/src/platform/database/alongside.ts',
    tests: ['server/src/platform/database/alongside.test.ts'],
    faults: [
      ['  } finally {\n    seat.isTaken = true\n  }', '  } finally {\n  }'],
      ['await once([...statements, ...seat.rider.statements])', 'await once(statements)'],
    ],
  },
]
