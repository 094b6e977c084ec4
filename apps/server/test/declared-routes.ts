import { readdirSync } from 'node:fs'
import type { RouteSpec } from '@muripo/contract/route'

const folder = new URL('../../../packages/contract/src/', import.meta.url)

/** Every call that the contract declares, mounted or not. */
export async function declaredRoutes(): Promise<readonly RouteSpec[]> {
  const files = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return modules.flatMap((module) => Object.values(module)).filter(isRouteSpec)
}

const isRouteSpec = (value: unknown): value is RouteSpec =>
  typeof value === 'object' &&
  value !== null &&
  ['method', 'path', 'reply', 'errors'].every((key) => key in value)
