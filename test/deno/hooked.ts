import { createBaton } from '../../src/deno/baton.ts'
import { hooks } from '../fixtures/hooks.ts'
import { tools } from '../fixtures/tools.ts'

const env = Deno.env.toObject()
const baton = createBaton({ database: env['DATABASE'] ?? '', env, hooks, tools })
Deno.serve({ port: Number(env['PORT']), hostname: '127.0.0.1' }, baton.fetch)
