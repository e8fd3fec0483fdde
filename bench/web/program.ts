import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { benchPage } from './index.ts'

// The process of `npm run bench -- web`: builds the page where its build is stale, measures it, and tells the report.

execFileSync(process.execPath, [join(import.meta.dirname, '../../ui/build/build-page.ts'), '--if-stale'], {
  stdio: 'inherit',
})
const report = await benchPage(process.env['SIGNALBOX_BENCH_WEB']?.split(' '))
process.send?.(report, () => process.disconnect())
