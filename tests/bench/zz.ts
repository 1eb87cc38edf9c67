import { benchHubRelay } from './hub-relay.ts'
console.log(await benchHubRelay())
