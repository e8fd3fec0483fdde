import { join } from 'node:path'
import { dataDirOf } from '../../config/local-instance.ts'
import { CommandFailed } from '../../errors.ts'
import { findFreePort } from '../../processes/ports.ts'
import { type Product, type ProductOptions, startProduct } from '../../processes/product.ts'
import type { Surroundings } from '../../surroundings.ts'
import { type Forge, startForge } from './forge-process.ts'
import { ACCOUNT, PERSON, REPOSITORY } from './project.ts'

/** The product with a fake forge beside it; both end together, whatever ends one. */
export interface ForgeProduct extends Product {
  readonly forge: Forge
}

const LOOPBACK = '127.0.0.1'
const USUAL_PORT = 8080

/**
 * Starts the fake forge and a product that may call it. The data folder is another one than usual: the app of a forge that
 * is gone with the demo has no place beside real ones. Its own address must be known before the start, as the forge is told it.
 */
export async function startForgeProduct(surroundings: Surroundings, options: ProductOptions): Promise<ForgeProduct> {
  const dataDir = options.dataDir ?? `${dataDirOf(surroundings)}-forge`
  const port = options.port === 0 ? await findFreePort(LOOPBACK) : (options.port ?? USUAL_PORT)
  const forge = await startForge({
    account: ACCOUNT,
    repository: REPOSITORY,
    person: PERSON,
    env: pick(surroundings.env, ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE']),
    logFile: join(dataDirOf(surroundings, dataDir), 'logs', 'forge.log'),
  })
  try {
    const address = `http://${LOOPBACK}:${port}`
    const hosts = [surroundings.env['PROVIDER_HOSTS'] ?? '', LOOPBACK].filter((host) => host !== '')
    const env = {
      ...surroundings.env,
      HOST: LOOPBACK,
      BASE_URL: address,
      UI_URL: address,
      PROVIDER_HOSTS: hosts.join(','),
    }
    const product = await startProduct({ ...surroundings, env }, { ...options, dataDir, port })
    return joinForge(product, forge)
  } catch (error) {
    await forge.stop()
    throw error
  }
}

/** The forge needs no secret of the product. */
function pick(env: Surroundings['env'], names: readonly string[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(names.map((name) => [name, env[name]]))
}

function joinForge(product: Product, forge: Forge): ForgeProduct {
  return {
    ...product,
    forge,
    broken: Promise.race([product.broken, forge.broken.then((reason) => new CommandFailed('unexpected', reason))]),
    async stop() {
      try {
        await product.stop()
      } finally {
        await forge.stop()
      }
    },
    kill() {
      product.kill()
      forge.kill()
    },
  }
}
