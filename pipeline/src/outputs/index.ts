export { outputLimits } from './limits.ts'
export { type OutputFile, parseOutputFile } from './output-file.ts'
export { type Environment, resolveEnvironment } from './resolve-environment.ts'
export { formatReference, isOutputName, parseTemplate, type TemplateProblem } from './template.ts'
