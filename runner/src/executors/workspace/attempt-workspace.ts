import type { Assign } from '@signalbox/contracts/runner'
import type { ProcessEnd } from '../../processes/running-process.ts'
import type { FetchedFiles } from '../../transfer/files.ts'
import { type OutputFile, outputFileStamp, readOutputFile } from './output-file.ts'
import { type PreparedWorkspace, prepareWorkspace, type WorkspaceTools } from './prepare.ts'
import { takeOverFiles } from './take-over-files.ts'
import { type Places, placesOf, type Teller, type Workspace } from './workspace.ts'

export interface TaskFiles extends Places {
  readonly fetched: FetchedFiles
  /** Makes files that containers left readable to the user who runs tasks. Answers a sentence where that fails. */
  takeOver(): Promise<string | undefined>
}

/** The workspace of one attempt: there is none before `open`, and none after `release`. */
export class AttemptWorkspace {
  #opened: (PreparedWorkspace & { readonly tools: WorkspaceTools }) | undefined

  get opened(): Workspace | undefined {
    return this.#opened?.workspace
  }

  /** As `prepareWorkspace`. */
  async open(
    tools: WorkspaceTools,
    assign: Assign,
    signal: AbortSignal,
    teller: Teller,
  ): Promise<Workspace | { end: ProcessEnd }> {
    const prepared = await prepareWorkspace(tools, assign, signal, teller)
    if ('end' in prepared) return prepared
    this.#opened = { ...prepared, tools }
    return prepared.workspace
  }

  /** Changes whenever the output file does; cheap enough to ask before each batch of lines. */
  outputStamp(): string {
    return this.opened === undefined ? '' : outputFileStamp(this.opened.outputFile)
  }

  readOutputs(): OutputFile {
    return this.opened === undefined ? { text: '' } : readOutputFile(this.opened.outputFile, this.opened.owner)
  }

  files(): TaskFiles | undefined {
    if (this.#opened === undefined) return undefined
    const { workspace, fetched, tools } = this.#opened
    return { ...placesOf(workspace), fetched, takeOver: () => takeOverFiles(tools.trees, workspace) }
  }

  /** Removes what the attempt left behind. */
  async release(): Promise<void> {
    const opened = this.#opened
    this.#opened = undefined
    await opened?.tools.workspaces.release(opened.workspace)
  }
}
