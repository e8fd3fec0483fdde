export { createInputCheck, type InputCheck } from './input-check.ts'
export { placesOf } from './places.ts'
export { type Rendered, type RenderOptions, render, renderProblem } from './render.ts'
export {
  defineTool,
  isForKind,
  isUsable,
  type NextCall,
  type PersonPage,
  permissionsOf,
  type Quote,
  type Tool,
  type ToolAnswer,
  type ToolEffect,
} from './tool.ts'
export { makeVisible } from './visible.ts'
export { linesOf, ownText, type Told, Words } from './words.ts'
