/** For what processes of one test seal and open for one another. */
export const testMasterKey = Buffer.from('a master key that is for tests..', 'latin1')
