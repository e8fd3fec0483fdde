export type {
  AppConnection,
  FeatureGrant,
  ForgeApps,
  FoundApp,
  FoundInstallation,
  FoundRepository,
  Grants,
  InstallationToken,
  KnownPage,
  RegisteredApp,
  RepositoryList,
  TokenWish,
} from './app-port.ts'
export type { ForgeDeliveries, LoggedDelivery, LoggedPage } from './deliveries-port.ts'
export { openForges } from './open-forges.ts'
export type {
  AuthMode,
  CommitStatus,
  Forge,
  ForgeAnswer,
  ForgeBranch,
  ForgeConnection,
  ForgeFailure,
  ForgeHooks,
  ForgeOpenPull,
  ForgePermission,
  ForgePullRequest,
  ForgeRepositories,
  ForgeStatus,
  ForgeWebhooks,
  FoundHook,
  HookDifference,
  PageMemory,
  PlacedHook,
  Reading,
  RememberedPage,
  StatusState,
  Verification,
  VerificationRequest,
  WantedHook,
  WebhookHeaders,
} from './port.ts'
export { AUTH_MODES } from './port.ts'
export { FORGES, findForge } from './registry.ts'
export type {
  CheckAnnotation,
  CheckRerun,
  CheckRun,
  CommentPlace,
  ForgeChecks,
  ForgeComments,
  FoundComment,
  Reaction,
} from './telling-port.ts'
export { type DeliveryVerification, verifyDelivery } from './verify-delivery.ts'
