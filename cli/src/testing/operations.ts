import * as access from '@signalbox/contracts/access'
import {
  grantRoutes,
  groupRoutes,
  identityRoutes,
  serviceAccountRoutes,
  tokenRoutes,
  userRoutes,
} from '@signalbox/contracts/access/routes'
import * as approvals from '@signalbox/contracts/approvals'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import * as artifacts from '@signalbox/contracts/artifacts'
import { artifactRoutes, transferRoutes } from '@signalbox/contracts/artifacts/routes'
import * as audit from '@signalbox/contracts/audit'
import { auditRoutes } from '@signalbox/contracts/audit/routes'
import * as dispatch from '@signalbox/contracts/dispatch'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import * as events from '@signalbox/contracts/events'
import { eventRecordRoutes, eventRoutes } from '@signalbox/contracts/events/routes'
import * as health from '@signalbox/contracts/health'
import { healthRoutes, metricsRoutes } from '@signalbox/contracts/health/routes'
import type { Operation, Shapes } from '@signalbox/contracts/http/routes'
import * as knowledge from '@signalbox/contracts/knowledge'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import * as logs from '@signalbox/contracts/logs'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import * as overrides from '@signalbox/contracts/overrides'
import { overrideRoutes, resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import * as pipelines from '@signalbox/contracts/pipelines'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import * as profiles from '@signalbox/contracts/profiles'
import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import * as runners from '@signalbox/contracts/runners'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import * as runs from '@signalbox/contracts/runs'
import { resultRoutes, runRoutes } from '@signalbox/contracts/runs/routes'
import * as secrets from '@signalbox/contracts/secrets'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import * as setup from '@signalbox/contracts/setup'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import * as sources from '@signalbox/contracts/sources'
import {
  branchRoutes,
  connectionRoutes,
  deliveryRoutes,
  ingressRoutes,
  sourceRoutes,
} from '@signalbox/contracts/sources/routes'
import * as teams from '@signalbox/contracts/teams'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import * as triggers from '@signalbox/contracts/triggers'
import { simulationRoutes, triggerRoutes } from '@signalbox/contracts/triggers/routes'

/** A stated route with the shapes that it names. */
interface Stated {
  readonly operation: Operation
  readonly shapes: Shapes
}

/** Every route that contracts state, by its name. */
export const OPERATIONS = {
  ...withShapes(access, {
    ...identityRoutes,
    ...userRoutes,
    ...groupRoutes,
    ...serviceAccountRoutes,
    ...tokenRoutes,
    ...grantRoutes,
  }),
  ...withShapes(approvals, approvalRoutes),
  ...withShapes(artifacts, { ...artifactRoutes, ...transferRoutes }),
  ...withShapes(audit, auditRoutes),
  ...withShapes(dispatch, dispatchRoutes),
  ...withShapes(events, { ...eventRoutes, ...eventRecordRoutes }),
  ...withShapes(health, { ...healthRoutes, ...metricsRoutes }),
  ...withShapes(knowledge, knowledgeRoutes),
  ...withShapes(logs, logRoutes),
  ...withShapes(overrides, { ...overrideRoutes, ...resolutionRoutes }),
  ...withShapes(pipelines, pipelineRoutes),
  ...withShapes(profiles, profileRoutes),
  ...withShapes(runners, runnerRoutes),
  ...withShapes(runs, { ...runRoutes, ...resultRoutes }),
  ...withShapes(secrets, secretRoutes),
  ...withShapes(setup, setupRoutes),
  ...withShapes(sources, {
    ...sourceRoutes,
    ...connectionRoutes,
    ...deliveryRoutes,
    ...branchRoutes,
    ...ingressRoutes,
  }),
  ...withShapes(teams, teamRoutes),
  ...withShapes(triggers, { ...triggerRoutes, ...simulationRoutes }),
}

export type OperationName = keyof typeof OPERATIONS

function withShapes<const Names extends string>(
  shapes: Shapes,
  operations: Readonly<Record<Names, Operation>>,
): Readonly<Record<Names, Stated>>
function withShapes(shapes: Shapes, operations: Readonly<Record<string, Operation>>): Readonly<Record<string, Stated>> {
  return Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, { operation, shapes }]))
}
