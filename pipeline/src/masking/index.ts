export { Finder, Patterns } from './finder.ts'
export { type Stretch, Stretches } from './stretches.ts'
