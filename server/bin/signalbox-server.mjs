#!/usr/bin/env node
// Plain JavaScript, so that Node needs no compiler for types before it finds what it has compiled earlier: a start takes
// 0.3 s less.
import { enableCompileCache } from 'node:module'
import { programOf } from '../../build/built.mjs'

enableCompileCache()
await import(programOf('server'))
