/** Told in the transaction that makes an archive an artifact of a run. */
export const ARTIFACT_STORED = { kind: 'artifact.stored', version: 1 } as const
/** Told in the transaction in which a person deletes one. */
export const ARTIFACT_DELETED = { kind: 'artifact.deleted', version: 1 } as const
