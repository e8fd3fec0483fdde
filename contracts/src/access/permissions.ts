/** Every permission, `<resource>.<verb>`, with what it allows. Served at /v1/auth/permissions. */
export const PERMISSIONS = {
  'team.read': 'See a team.',
  'team.write': 'Create teams below it, rename and delete it. Root teams need it on the platform.',
  'environment.read': 'See the environments of a team.',
  'environment.write': 'Create and delete environments; protecting one needs grant.write too.',
  'secret.read': 'See names and versions of stored secrets, never their values.',
  'secret.write': 'Store, replace and delete secrets.',
  'pipeline.read': 'See pipelines.',
  'pipeline.write': 'Create, change and delete pipelines.',
  'knowledge.read': 'See policies, guardrails, references and emergencies.',
  'knowledge.write': 'Create, change and delete guardrails and references.',
  'policy.write': 'Create, change and delete policies.',
  'emergency.declare': 'Declare and lift emergencies.',
  'profile.read': 'See profiles.',
  'profile.write': 'Create, change and delete profiles.',
  'runner.read': 'See runners and the dispatcher.',
  'runner.write': 'Enrol, enable, disable, drain and remove runners.',
  'run.read': 'See runs.',
  'run.start': 'Start runs.',
  'run.cancel': 'Cancel runs.',
  'run.rerun': 'Rerun runs.',
  'run.approve': 'Approve and reject runs of pull requests from forks; approval steps name who decides.',
  'log.read': 'Read the log of a run.',
  'log.scrub': 'Hide values in the stored log of a run.',
  'artifact.read': 'See and download the artifacts of runs.',
  'artifact.delete': 'Delete artifacts before they expire.',
  'storage.write': 'Set how much of artifacts and caches a team may keep.',
  'scope.use': 'Use the scopes of environments that are not protected.',
  'webhook_source.read': 'See webhook sources.',
  'webhook_source.write': 'Create, change and delete webhook sources.',
  'delivery.read': 'See deliveries and why they started what they started.',
  'delivery.replay': 'Run a stored delivery through the triggers again.',
  'override.read': 'See which pipeline overrides what a repository starts.',
  'override.write': 'Create, replace and delete overrides.',
  'trigger.read': 'See triggers.',
  'trigger.write': 'Create, change and delete triggers.',
  'event.read': 'See trigger events.',
  'service_account.read': 'See service accounts.',
  'service_account.write': 'Create, disable and delete service accounts.',
  'token.write': 'Create and revoke tokens of service accounts.',
  'grant.read': 'See who has which role.',
  'grant.write': 'Give and take roles; protect environments.',
  'audit.read': 'Read the audit records.',
  'user.read': 'See users and groups.',
  'user.write': 'Create, change, disable and delete users and groups.',
  'setting.read': 'Read the settings of the platform.',
  'setting.write': 'Change the settings of the platform.',
  'system.read': 'Read the state of the platform itself.',
} as const

export type Permission = keyof typeof PERMISSIONS

export function isPermission(text: string): text is Permission {
  return Object.hasOwn(PERMISSIONS, text)
}

export const PERMISSION_NAMES: readonly Permission[] = Object.keys(PERMISSIONS).filter(isPermission)
