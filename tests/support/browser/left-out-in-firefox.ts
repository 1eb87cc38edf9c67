import { beforeAll, beforeEach, type RunnerTask } from 'vitest'

const fake = 'the fake camera of Firefox has every size, and ignores another size once it is open'
const measuring = 'the product measures only with the libwebrtc of Chromium'
const shaping = 'the product shapes sound packets and ceilings only in Chromium, which reads them from the description'
const starting = 'only Chromium reads the start bitrate'
const untrusted = 'in Firefox an event that a script dispatches reaches no listener of a track'
const noH264 = 'Firefox has H264 only after it has downloaded a plugin'
const byDigest = 'the files of the model are compared with their digests, whatever the browser'
const framesInWorkers = 'only Chromium hands the frames of a track over from a page'
const noRed = 'Firefox has no redundant sound'

/** The tests of shared files that do not run in Firefox, by file and the beginning of their full name, with the reason. */
const leftOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'devices/camera.test.ts': {
    'the camera > that cannot meet a minimum': fake,
    'the camera > that cannot stay below a maximum': fake,
    'the camera > that is open takes another size': fake,
    'the camera > that cannot take another size': fake,
    'an interruption of a track > is reported with its kind': untrusted,
    'the level of the microphone > rises with the sound':
      'Firefox starts no audio context on a machine without speakers',
  },
  'workers/picture-looks.test.ts': {
    'a file of the model > that does not arrive': byDigest,
    'a file of the model > that is not that of the build': byDigest,
    'a file of the model > that could be read': byDigest,
    'a file of the model > that was built damaged': byDigest,
  },
  'workers/watched-tracks.test.ts': {
    'the picture of a peer, of another track and of the next call': framesInWorkers,
    'a track is handed over once': framesInWorkers,
  },
  'workers/frame-capture.test.ts': { 'a camera that ends before its first picture is rejected': untrusted },
  'call/peer/peer-connection.test.ts': { 'two peers > start with a good picture': starting },
  'call/peer/negotiation.test.ts': {
    'where two devices prefer different codecs, the start bitrate': starting,
    'a caller whose own new negotiation fails half-way': measuring,
    'a callee whose own new negotiation fails half-way': measuring,
  },
  'call/peer/media-limits.test.ts': {
    'a call that loses packets changes to a codec': noH264,
    'a measurement of the network and the full size': measuring,
    'sound is sent in longer packets': shaping,
    'the callee, too, changes the length of its sound packets': shaping,
    'a ceiling of what is sent holds': shaping,
  },
  'call/peer/quality.test.ts': {
    'a busy page sends less': 'Firefox gets the same kind of limits as from a hidden page',
    'a network that hardly carries the sound': 'Firefox gets the same limits as for a user who chooses sound only',
  },
  'call/peer/preferred-codecs.test.ts': {
    'on a weak CPU H264 comes first': noH264,
    'two peers that prefer H264 use it': noH264,
    'redundant sound comes first': noRed,
    'a call sends redundant sound': noRed,
  },
}

const entriesOf = (path: string) =>
  Object.entries(Object.entries(leftOut).find(([file]) => path.endsWith(file))?.[1] ?? {})

function namesIn(task: RunnerTask): string[] {
  return 'tasks' in task ? task.tasks.flatMap(namesIn) : [task.fullTestName]
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest accepts no other first parameter.
beforeAll(({}, { file }) => {
  const names = namesIn(file)
  for (const [name] of entriesOf(file.filepath))
    if (!names.some((each) => each.startsWith(name))) throw new Error(`There is no test '${name}' to leave out`)
})

beforeEach(({ task, skip }) => {
  const entry = entriesOf(task.file.filepath).find(([name]) => task.fullTestName.startsWith(name))
  if (entry) skip(entry[1])
})
