/** Makes files of the repository out of its other files; the output is committed and checked to be fresh. */
export interface Generator {
  readonly name: string
  /** Paths relative to the root of the repository. Nothing else lies in a folder called `generated`. */
  readonly outputs: readonly string[]
  /** Writes every output below `into`, at the same relative path, without reading the committed files. */
  run(into: string, means: Means): Promise<void>
}

/** The tools that generators share. */
export interface Means {
  /** The root of the repository. */
  readonly root: string
  /** A folder for whatever is needed on the way; gone when all have run. */
  readonly scratch: string
  /** URL of an empty database to which all migrations were applied; started when the first generator asks. */
  migratedDatabase(): Promise<string>
}
