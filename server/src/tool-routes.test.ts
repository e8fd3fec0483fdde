import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestHouse } from './testing/test-house.ts'

// Each route is used by a tool, or stands here with the reason why agents do without it. A new route is one or the other.

const EXEMPT: Readonly<Record<string, string>> = {
  // Secrets are never tools: neither their values nor what gives access.
  'createSecret listSecrets getSecret replaceSecret deleteSecret retireSecretVersion':
    'Secrets are no matter of agents.',
  'createToken listTokens revokeToken createRunnerEnrollment listRunnerEnrollments getRunnerEnrollment deleteRunnerEnrollment':
    'They give access: people make and revoke it.',
  'createExternalTrigger replaceExternalTrigger updateExternalTrigger deleteExternalTrigger rotateExternalTrigger':
    'Their secrets give access.',
  'listExternalTriggers getExternalTrigger runExternalTrigger':
    'explain_run names the trigger of a run; plan_start_run starts its pipeline.',
  'scrubLogs deleteArtifact setStorage': 'What they take away does not come back.',
  // People decide who may do what.
  'createUser listUsers getUser updateUser deleteUser createGroup listGroups getGroup deleteGroup listGroupMembers addGroupMember removeGroupMember':
    'People administer people.',
  'createServiceAccount listServiceAccounts getServiceAccount updateServiceAccount deleteServiceAccount':
    'People administer accounts.',
  'createGrant listGrants getGrant deleteGrant listTeamMembers listPermissions':
    'People give rights; explain_access says who has them.',
  'createTeam listTeams getTeam updateTeam deleteTeam createEnvironment listEnvironments updateEnvironment deleteEnvironment countTeam':
    'People lay out the teams; find and whoami name them.',
  'approvePlan refusePlan listPlans': 'The second key is a person; confirm_plan says what became of a plan.',
  'getBootstrap revokeBootstrap createAdministrator getPreflight': 'The first start is a matter of people.',
  'getPreferences replacePreferences getSignIn signIn listSessions revokeSessions signOut revokeSession listUserSessions revokeUserSessions startSignIn completeSignIn linkIdentity listIdentities createIdentity deleteIdentity':
    'The page, and signing in to it.',
  'getGitApp replaceGitApp deleteGitApp diagnoseGitApp startRegistration showRegistrationForm completeRegistration getRegistration startInstallation completeInstallation listInstallations createInstallation getInstallation deleteInstallation verifyInstallation refreshInstallation listInstallationRepositories replaceInstallationTeams listConnectedRepositories':
    'An administrator registers apps at a provider in a browser.',
  'createSource getSource replaceSource updateSource deleteSource listConnections connectRepository checkConnection disconnectRepository lookForMissed':
    'Sources hold secrets of providers; list_sources tells of their health.',
  'createKnowledgeItem replaceKnowledgeItem deleteKnowledgeItem listKnowledgeRevisions getKnowledgeRevision validateKnowledgeItem testKnowledgeItem tryKnowledgeItem':
    'Policies bound agents too: people write them.',
  'declareEmergency liftEmergency getEmergency': 'People hold and lift; list_knowledge shows what holds.',
  'createProfile listProfiles getProfile replaceProfile deleteProfile':
    'Runners and their profiles are set up by people.',
  'deletePipeline deleteRunner': 'What hangs on them is for a person to weigh.',
  'listSettings getAbout': 'Of the platform itself.',
  // Machines, streams and pages.
  'receiveDelivery postGitEvent fireExternalTrigger fireExternalTriggerByUrl': 'Providers and programs send them.',
  'followRun followLogs followChanges downloadLogs': 'Streams; wait_for_run and read_log answer in one piece.',
  'listRunArtifacts getArtifact downloadArtifact listArtifactFiles getArtifactFile getStorage':
    'Files are for programs.',
  'getLiveness getReadiness getMetrics': 'For supervisors and Prometheus.',
  'callMcp openMcpStream endMcpSession listMcpTools listMcpCalls': 'The endpoint itself.',
  // A question tool answers more than the route does.
  'listPipelineVersions getPipelineSchema listPipelineResults':
    'get_pipeline, the schema as a resource, and list_runs.',
  'getRunner getDispatcher listLeases': 'list_runners and explain_run.',
  'listRunOutputs listFinalOutputs getFinalOutput compareRuns getLastSuccess': 'get_run and compare_with_success.',
  'listOverrides getOverride validateOverride getTriggerSchema getTrigger': 'list_triggers and preview_override.',
  'listDeliveries replayDeliveries listEvents getEvent listBranches':
    'list_deliveries over all sources, find, plan_replay.',
  'listRunReports listCommentCommands listRunCommands listRecoveries getRecoveryStanding':
    'explain_push and explain_run.',
  'previewSchedule getSchedule listFires createBackfill listBackfills getBackfill cancelBackfill':
    'explain_schedule, list_schedules and plan_schedule; a backfill starts many runs at once.',
  search: 'find.',
}

const house = await openTestHouse()
const tools = house.describeTools()
const used = new Set(tools.flatMap(({ routes, optionalRoutes }) => [...routes, ...optionalRoutes]))
const exempt = Object.keys(EXEMPT).flatMap((names) => names.split(' '))

test('each route is used by a tool, or is exempt with a reason', async () => {
  const document: unknown = (await house.http.app.inject('/v1/openapi.json')).json()
  const paths: readonly Readonly<Record<string, { readonly operationId: string }>>[] = Object.values(
    Object(document).paths,
  )
  const routes = paths.flatMap((operations) => Object.values(operations).map(({ operationId }) => operationId))
  assert.deepEqual(
    routes.filter((name) => !used.has(name) && !exempt.includes(name)),
    [],
  )
  const undocumented = ['openMcpStream', 'endMcpSession']
  assert.deepEqual(
    exempt.filter((name) => used.has(name) || !(routes.includes(name) || undocumented.includes(name))),
    [],
  )
})

test('no tool calls a route whose answer holds a secret', () => {
  const secretive = /secret|token|enrollment|password|scrub/i
  assert.deepEqual(
    [...used].filter((name) => secretive.test(name)),
    [],
  )
})

test('the list of all tools costs an agent at most 6,000 tokens', () => {
  const offered = tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    annotations,
  }))
  // A token of such a list has about 4.3 characters.
  const size = JSON.stringify(offered).length
  assert.ok(size <= 26_000, `${size} characters`)
})

test('the only tool that writes is the one that confirms a plan', () => {
  assert.deepEqual(
    tools.filter(({ does }) => does === 'confirm').map(({ name }) => name),
    ['confirm_plan'],
  )
  for (const { name, does, annotations } of tools) {
    assert.equal(name.startsWith('plan_'), does === 'plan')
    assert.equal(annotations.readOnlyHint, does !== 'confirm')
    assert.equal(annotations.destructiveHint, does === 'confirm')
  }
})
