import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const encodeBrotli = promisify(brotliCompress)
const encodeGzip = promisify(gzip)

/** Fonts and pictures of points are compressed already. */
const TEXT = /\.(js|css|svg)$/
/** Smaller files fit into one packet anyway. */
const LEAST_BYTES = 1024

/** Puts `<name>.br` and `<name>.gz` beside each file of the folder that gains by it. */
export async function compressFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name))
  await Promise.all(names.map((name) => compressFile(join(folder, name))))
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < LEAST_BYTES) return
  const quality = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }
  await writeFile(`${path}.br`, await encodeBrotli(content, quality))
  await writeFile(`${path}.gz`, await encodeGzip(content, { level: constants.Z_BEST_COMPRESSION }))
}
