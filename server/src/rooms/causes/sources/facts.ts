/** Told as `source.deleted`, version 1, in the transaction that deletes. */
export interface SourceDeleted {
  readonly source_id: string
  readonly name: string
  readonly team_path: string
  /** The triggers match nothing from then on. */
  readonly triggers: readonly { readonly id: string; readonly name: string; readonly team_path: string }[]
}
