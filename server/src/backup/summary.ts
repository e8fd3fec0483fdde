/** What a backup, restore or move has done, as the command line prints it. */
export interface Summary {
  readonly place: string
  readonly tables: number
  readonly rows: number
  readonly objects: number
  /** On disk, of rows and objects; absent where nothing was measured. */
  readonly bytes?: number
  /** Objects that rows name and that were not to be had. */
  readonly missing_objects: number
  readonly has_key: boolean
}
