import { proveModel } from '../../../test/model/prove.ts'

proveModel('odd')
