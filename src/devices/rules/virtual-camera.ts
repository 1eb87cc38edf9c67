/**
 * Names by which programs that make a camera of pictures and films are known to the system. A phone or a good camera
 * that is used as a webcam (DroidCam, Camo, EOS Webcam Utility) shows what is in front of it, and is no such program.
 * Windows and macOS use the names of the programs, Linux that of the module v4l2loopback unless its user has named it.
 */
const virtualCameras = [
  ['OBS', /\bobs\b[ -]?(virtual )?cam/i],
  ['ManyCam', /many ?cam/i],
  ['Snap Camera', /snap camera/i],
  ['XSplit', /xsplit/i],
  ['SplitCam', /split ?cam/i],
  ['YouCam', /you ?cam/i],
  ['CamTwist', /camtwist/i],
  ['VCam', /e2esoft|\bvcam\b/i],
  ['AlterCam', /altercam/i],
  ['PRISM', /prism.*(cam|live)/i],
  ['Webcamoid', /webcamoid|akvirtualcamera/i],
  ['Unity Video Capture', /unity video capture/i],
  ['v4l2loopback', /v4l2loopback|dummy video device/i],
] as const

/** Returns the name of the program if this is the label of a known virtual camera; else null. */
export function virtualCameraOf(label: string): string | null {
  return virtualCameras.find(([, known]) => known.test(label))?.[0] ?? null
}
