import type { OperationName } from './operations.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const SHA = 'a'.repeat(40)

/** A command line that calls a route, or why no command does. */
export type RoutePlan =
  | { readonly exempt: string }
  | {
      readonly line: readonly string[]
      /** Answers of routes on the way that must be others than the sample of their shape; 404 is a problem. */
      readonly answers?: Readonly<Partial<Record<OperationName, unknown>>>
      readonly files?: Readonly<Record<string, string>>
      readonly stdin?: string
      /** How it ends, where that is not 0. */
      readonly code?: number
    }

const by = (...line: readonly string[]): RoutePlan => ({ line })
const OF_ATTEMPT = 'Between a runner and the control plane: its token is that of one attempt.'
const PIPELINE = { 'p.yaml': 'name: build\nsteps: {}\n' }

/** Each route that contracts state. A new one does not compile until it has a command, or a reason, here. */
export const ROUTES: Readonly<Record<OperationName, RoutePlan>> = {
  getLiveness: { exempt: 'For the supervisor of the process; `doctor` asks /healthz, which says more.' },
  getMetrics: { exempt: 'For Prometheus.' },
  getReadiness: by('doctor'),
  getPreflight: by('doctor'),
  createAdministrator: { line: ['setup', 'administrator', 'alice'] },
  getBootstrap: by('doctor'),
  revokeBootstrap: by('setup', 'revoke-bootstrap'),
  getMe: by('whoami'),
  listPermissions: by('grant', 'roles'),

  listAuditRecords: by('audit', 'list', '--resource', 'secret', '--since', '2026-11-23T00:00:00Z'),
  listTeams: by('team', 'list'),
  createTeam: by('team', 'create', 'acme'),
  getTeam: by('team', 'show', 'acme'),
  updateTeam: by('team', 'update', 'acme', '--name', 'Acme'),
  deleteTeam: by('team', 'delete', 'acme', '--yes'),
  listEnvironments: by('environment', 'list', 'acme'),
  createEnvironment: by('environment', 'create', 'acme/production', '--protected'),
  updateEnvironment: by('environment', 'update', 'acme/production', '--no-protected'),
  deleteEnvironment: by('environment', 'delete', 'acme/production', '--yes'),

  listUsers: by('user', 'show', 'acme'),
  createUser: by('user', 'create', 'alice', '--name', 'Alice'),
  getUser: by('user', 'show', ID),
  updateUser: by('user', 'disable', ID),
  deleteUser: by('user', 'delete', ID, '--yes'),
  listGroups: by('group', 'list'),
  createGroup: by('group', 'create', 'release'),
  getGroup: by('group', 'show', ID),
  deleteGroup: by('group', 'delete', ID, '--yes'),
  listGroupMembers: by('group', 'members', ID),
  addGroupMember: by('group', 'add', ID, ID),
  removeGroupMember: by('group', 'remove', ID, ID),
  listServiceAccounts: by('service-account', 'list'),
  createServiceAccount: by('service-account', 'create', 'acme/ci'),
  getServiceAccount: by('service-account', 'show', ID),
  updateServiceAccount: by('service-account', 'enable', ID),
  deleteServiceAccount: by('service-account', 'delete', ID, '--yes'),
  listTokens: by('token', 'list'),
  createToken: by('token', 'create', 'laptop'),
  revokeToken: by('token', 'revoke', ID),
  listGrants: by('grant', 'list', '--team', 'acme'),
  createGrant: by('grant', 'create', `user:${ID}`, 'viewer', 'acme'),
  getGrant: by('grant', 'show', ID),
  deleteGrant: by('grant', 'delete', ID, '--yes'),

  listSecrets: by('secret', 'list'),
  createSecret: { line: ['secret', 'set', 'acme/npm'], stdin: 'value', answers: { listSecrets: [] } },
  getSecret: by('secret', 'show', ID),
  replaceSecret: { line: ['secret', 'set', 'acme/acme'], stdin: 'value' },
  deleteSecret: by('secret', 'delete', ID, '--yes'),
  retireSecretVersion: {
    line: ['secret', 'retire', 'acme/npm'],
    answers: {
      listSecrets: [
        {
          id: ID,
          team_path: 'acme',
          name: 'npm',
          version: 2,
          versions: [2, 1].map((version) => ({ version, created_at: '2026-11-23T08:00:00Z', last_used_at: null })),
          updated_at: '2026-11-23T08:00:00Z',
          last_used_at: null,
        },
      ],
    },
  },

  listKnowledgeItems: by('knowledge', 'list'),
  createKnowledgeItem: {
    line: ['knowledge', 'apply', 'item.yaml'],
    files: { 'item.yaml': 'name: main-only\nteam_path: acme\nkind: reference\nscope: acme/**\ntext: Hello\n' },
    answers: { getKnowledgeItem: 404 },
  },
  getKnowledgeItem: by('knowledge', 'show', 'acme/main-only'),
  replaceKnowledgeItem: {
    line: ['knowledge', 'apply', 'item.yaml'],
    files: { 'item.yaml': 'name: main-only\nteam_path: acme\nkind: reference\nscope: acme/**\ntext: Hello\n' },
  },
  deleteKnowledgeItem: by('knowledge', 'delete', 'acme/main-only', '--yes'),
  listKnowledgeRevisions: by('knowledge', 'revisions', 'acme/main-only'),
  getKnowledgeRevision: by('knowledge', 'revision', ID),
  validateKnowledgeItem: {
    line: ['knowledge', 'validate', 'item.yaml'],
    files: { 'item.yaml': 'name: main-only\nteam_path: acme\nkind: reference\nscope: acme/**\ntext: Hello\n' },
  },
  testKnowledgeItem: {
    line: ['knowledge', 'test', 'acme/main-only', '--scope', 'acme/production', '--pipeline', 'acme/build'],
    code: 10,
  },
  listEmergencies: by('emergency', 'list', '--lifted'),
  declareEmergency: by('emergency', 'declare', 'acme/**', '--reason', 'Fire'),
  getEmergency: by('emergency', 'show', ID),
  liftEmergency: by('emergency', 'lift', ID),

  listProfiles: by('profile', 'list'),
  createProfile: by('profile', 'create', 'acme/node', '--image', 'node:24'),
  getProfile: by('profile', 'show', 'acme/node'),
  replaceProfile: by('profile', 'update', 'acme/node', '--label', 'gpu'),
  deleteProfile: by('profile', 'delete', 'acme/node', '--yes'),
  listRunners: by('runner', 'list'),
  getRunner: by('runner', 'show', ID),
  updateRunner: by('runner', 'drain', ID),
  deleteRunner: by('runner', 'delete', ID, '--yes'),
  listRunnerEnrollments: by('enrolment', 'list'),
  createRunnerEnrollment: by('runner', 'enrol', 'acme'),
  getRunnerEnrollment: by('enrolment', 'show', ID),
  deleteRunnerEnrollment: by('enrolment', 'delete', ID, '--yes'),
  getDispatcher: by('runner', 'load'),

  listPipelines: by('pipeline', 'list'),
  createPipeline: {
    line: ['pipeline', 'apply', 'p.yaml', '--team', 'acme'],
    files: PIPELINE,
    answers: { getPipeline: 404 },
  },
  getPipeline: by('pipeline', 'show', 'acme/build'),
  replacePipeline: { line: ['pipeline', 'apply', 'p.yaml', '--team', 'acme'], files: PIPELINE },
  deletePipeline: by('pipeline', 'delete', 'acme/build', '--yes'),
  listPipelineVersions: by('pipeline', 'versions', 'acme/build'),
  getPipelineVersion: by('pipeline', 'show', 'acme/build', '--version', '1'),
  validatePipeline: { line: ['pipeline', 'validate', 'p.yaml'], files: PIPELINE },
  getPipelineSchema: by('pipeline', 'schema'),
  startRun: by('pipeline', 'run', 'acme/build'),

  listRuns: by('run', 'list', '--team', 'acme'),
  getRun: by('run', 'show', ID),
  getRunStatus: by('run', 'status', ID),
  followRun: {
    exempt: 'For `run watch`, which is tested in runs/follow.test.ts: a stream has no sample.',
  },
  listRunOutputs: by('run', 'task-outputs', ID),
  listFinalOutputs: by('run', 'outputs', ID),
  getFinalOutput: by('run', 'outputs', ID, 'report'),
  compareRuns: by('run', 'compare', ID, ID),
  cancelRun: by('run', 'cancel', ID),
  rerunRun: by('run', 'rerun', ID),
  listApprovals: by('approval', 'list'),
  decideApproval: by('run', 'approve', ID, 'release', '--commit', SHA),
  listLogLines: by('run', 'logs', ID, '--tail', '10'),
  followLogs: { exempt: 'For `run logs --follow`, which is tested in runs/follow.test.ts.' },
  downloadLogs: by('run', 'logs', ID, '--json'),
  scrubLogs: by('run', 'scrub', ID, '--secret', 'acme/npm'),
  listRunArtifacts: by('artifact', 'list', ID),
  getArtifact: by('artifact', 'show', ID),
  deleteArtifact: by('artifact', 'delete', ID, '--yes'),
  downloadArtifact: {
    exempt: 'For `artifact download`, which is tested in commands/artifact.test.ts.',
  },
  getStorage: by('storage', 'show', 'acme'),
  setStorage: by('storage', 'set', 'acme', '--caches-mb', '500'),

  openBlob: { exempt: OF_ATTEMPT },
  storePart: { exempt: OF_ATTEMPT },
  completeBlob: { exempt: OF_ATTEMPT },
  keepArtifact: { exempt: OF_ATTEMPT },
  keepCache: { exempt: OF_ATTEMPT },
  findCache: { exempt: OF_ATTEMPT },
  fetchCache: { exempt: OF_ATTEMPT },
  fetchArtifact: { exempt: OF_ATTEMPT },

  listOverrides: by('override', 'list'),
  getOverride: by('override', 'show', 'acme/shop'),
  replaceOverride: by('override', 'set', 'acme/shop', '--pipeline', 'acme/build'),
  deleteOverride: by('override', 'delete', 'acme/shop', '--yes'),
  validateOverride: {
    line: ['override', 'validate', 'triggers.yaml'],
    files: { 'triggers.yaml': 'triggers: []\n' },
  },
  resolveRepository: by('override', 'resolve', 'acme/shop', '--ref', 'refs/heads/main'),
  previewOverride: by('override', 'preview', 'acme/shop', '--pipeline', 'acme/build'),
  listTriggers: by('trigger', 'list'),
  createTrigger: by(
    'trigger',
    'create',
    'push',
    '--team',
    'acme',
    '--pipeline',
    'acme/build',
    '--scope',
    'acme/production',
    '--repository',
    'acme/shop',
  ),
  getTriggerSchema: by('trigger', 'schema'),
  getTrigger: by('trigger', 'show', ID),
  replaceTrigger: { exempt: 'The whole of a trigger anew; `trigger update` changes what is given (PATCH).' },
  updateTrigger: by('trigger', 'update', ID, '--name', 'other'),
  deleteTrigger: by('trigger', 'delete', ID, '--yes'),
  simulateTrigger: by('trigger', 'simulate', ID),
  listEvents: by('event', 'list', '--repository', 'acme/shop', '--result', 'ignored', '--since', '2h'),
  getEvent: by('event', 'show', ID),
  postGitEvent: { line: ['event', 'post', '-'], stdin: '{"kind": "push"}' },
  receiveDelivery: { exempt: 'For Git providers, who sign what they send.' },
  listSources: by('source', 'list'),
  createSource: by('source', 'create', 'shop', '--team', 'acme', '--secret', 'acme/hook', '--repository', 'acme/*'),
  getSource: by('source', 'show', ID),
  replaceSource: {
    exempt: 'The whole of a source anew; `source update` changes what is given (PATCH).',
  },
  updateSource: by('source', 'disable', ID),
  deleteSource: by('source', 'delete', ID, '--yes'),
  listConnections: by('source', 'connections', ID),
  connectRepository: by('source', 'connect', ID, 'acme/shop', '--wait', '0'),
  checkConnection: by('source', 'connect', ID, 'acme/shop', '--check'),
  disconnectRepository: by('source', 'disconnect', ID, 'acme/shop'),
  getSourceHealth: by('source', 'health', ID),
  listDeliveries: by('source', 'deliveries', ID),
  getDelivery: by('source', 'delivery', ID, ID),
  replayDelivery: by('source', 'replay', ID, ID),
  replayDeliveries: by('source', 'replay', ID, '--result', 'rejected'),
  listBranches: by('source', 'branches', 'acme/shop'),
}
