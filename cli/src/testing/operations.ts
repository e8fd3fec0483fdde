import { aboutRoutes } from '@signalbox/contracts/about/routes'
import {
  accessExplanationRoutes,
  grantRoutes,
  groupRoutes,
  identityRoutes,
  serviceAccountRoutes,
  tokenRoutes,
  userRoutes,
} from '@signalbox/contracts/access/routes'
import { approvalRoutes } from '@signalbox/contracts/approvals/routes'
import { artifactRoutes, transferRoutes } from '@signalbox/contracts/artifacts/routes'
import { auditRoutes } from '@signalbox/contracts/audit/routes'
import { commandRoutes } from '@signalbox/contracts/commands/routes'
import { dispatchRoutes } from '@signalbox/contracts/dispatch/routes'
import { eventRecordRoutes, eventRoutes } from '@signalbox/contracts/events/routes'
import { externalTriggerRoutes } from '@signalbox/contracts/external-triggers/routes'
import { gitAppRoutes, installationRoutes } from '@signalbox/contracts/git-apps/routes'
import { healthRoutes, metricsRoutes } from '@signalbox/contracts/health/routes'
import { signInRoutes } from '@signalbox/contracts/identities/routes'
import { knowledgeRoutes } from '@signalbox/contracts/knowledge/routes'
import { liveRoutes } from '@signalbox/contracts/live/routes'
import { logRoutes } from '@signalbox/contracts/logs/routes'
import { mcpRoutes } from '@signalbox/contracts/mcp/routes'
import { memberRoutes } from '@signalbox/contracts/members/routes'
import { overrideRoutes, resolutionRoutes } from '@signalbox/contracts/overrides/routes'
import { overviewRoutes } from '@signalbox/contracts/overview/routes'
import { pipelineRoutes } from '@signalbox/contracts/pipelines/routes'
import { planRoutes } from '@signalbox/contracts/plans/routes'
import { preferenceRoutes } from '@signalbox/contracts/preferences/routes'
import { profileRoutes } from '@signalbox/contracts/profiles/routes'
import { recoveryRoutes } from '@signalbox/contracts/recovery/routes'
import { reportRoutes } from '@signalbox/contracts/reports/routes'
import { runnerRoutes } from '@signalbox/contracts/runners/routes'
import { resultRoutes, runRoutes } from '@signalbox/contracts/runs/routes'
import { backfillRoutes, explainRoutes, fireRoutes, scheduleRoutes } from '@signalbox/contracts/schedules/routes'
import { searchRoutes } from '@signalbox/contracts/search/routes'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import { setupRoutes } from '@signalbox/contracts/setup/routes'
import {
  branchRoutes,
  connectionRoutes,
  deliveryRoutes,
  ingressRoutes,
  pushExplanationRoutes,
  sourceRoutes,
} from '@signalbox/contracts/sources/routes'
import { teamRoutes } from '@signalbox/contracts/teams/routes'
import { trialRoutes } from '@signalbox/contracts/trials/routes'
import { simulationRoutes, triggerRoutes } from '@signalbox/contracts/triggers/routes'

/** Every route that contracts state, by its name. */
export const OPERATIONS = {
  ...aboutRoutes,
  ...identityRoutes,
  ...userRoutes,
  ...groupRoutes,
  ...serviceAccountRoutes,
  ...tokenRoutes,
  ...sessionRoutes,
  ...grantRoutes,
  ...accessExplanationRoutes,
  ...memberRoutes,
  ...approvalRoutes,
  ...artifactRoutes,
  ...transferRoutes,
  ...auditRoutes,
  ...dispatchRoutes,
  ...eventRoutes,
  ...eventRecordRoutes,
  ...gitAppRoutes,
  ...installationRoutes,
  ...healthRoutes,
  ...metricsRoutes,
  ...signInRoutes,
  ...knowledgeRoutes,
  ...liveRoutes,
  ...logRoutes,
  ...mcpRoutes,
  ...overrideRoutes,
  ...resolutionRoutes,
  ...overviewRoutes,
  ...pipelineRoutes,
  ...preferenceRoutes,
  ...profileRoutes,
  ...reportRoutes,
  ...runnerRoutes,
  ...runRoutes,
  ...resultRoutes,
  ...scheduleRoutes,
  ...externalTriggerRoutes,
  ...fireRoutes,
  ...backfillRoutes,
  ...explainRoutes,
  ...planRoutes,
  ...searchRoutes,
  ...secretRoutes,
  ...setupRoutes,
  ...sourceRoutes,
  ...connectionRoutes,
  ...deliveryRoutes,
  ...branchRoutes,
  ...commandRoutes,
  ...recoveryRoutes,
  ...ingressRoutes,
  ...pushExplanationRoutes,
  ...teamRoutes,
  ...trialRoutes,
  ...triggerRoutes,
  ...simulationRoutes,
}

export type OperationName = keyof typeof OPERATIONS
