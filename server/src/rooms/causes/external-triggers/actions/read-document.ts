import type { ExternalTriggerDocument, ExternalTriggerPatch } from '@signalbox/contracts/external-triggers'
import type { ExternalTrigger } from '../store.ts'

/** What people write of an external trigger. */
export type Definition = Pick<
  ExternalTrigger,
  'teamPath' | 'name' | 'pipeline' | 'variables' | 'allowedVariables' | 'runTeamPath' | 'ratePerMinute' | 'enabled'
> & { readonly scope: string | undefined }

const DEFAULTS = {
  scope: undefined,
  variables: {},
  allowedVariables: [],
  runTeamPath: null,
  ratePerMinute: 60,
  enabled: true,
} satisfies Partial<Definition>

/** A whole document, with defaults for what it leaves out. */
export function readDocument(body: ExternalTriggerDocument): Definition {
  const { team_path: teamPath, name, pipeline } = body
  return { ...DEFAULTS, teamPath, name, pipeline, ...readChange(body) }
}

/** The fields that a patch names. */
export function readChange(body: ExternalTriggerPatch): Partial<Definition> {
  const { team_path, name, pipeline, scope, variables, allowed_variables, run_team_path, rate_limit, enabled } = body
  return {
    ...(team_path === undefined ? {} : { teamPath: team_path }),
    ...(name === undefined ? {} : { name }),
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(scope === undefined ? {} : { scope }),
    ...(variables === undefined ? {} : { variables }),
    ...(allowed_variables === undefined ? {} : { allowedVariables: allowed_variables }),
    ...(run_team_path === undefined ? {} : { runTeamPath: run_team_path }),
    ...(rate_limit === undefined ? {} : { ratePerMinute: rate_limit.per_minute }),
    ...(enabled === undefined ? {} : { enabled }),
  }
}
