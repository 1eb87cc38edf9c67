import { expect, test } from 'vitest'
import { virtualCameraOf } from '../../../src/devices/rules/virtual-camera.ts'

test.each([
  ['OBS Virtual Camera', 'OBS'],
  ['OBS-Camera', 'OBS'],
  ['OBS Virtual Camera (m-de:vice)', 'OBS'],
  ['ManyCam Virtual Webcam', 'ManyCam'],
  ['Snap Camera', 'Snap Camera'],
  ['XSplit VCam', 'XSplit'],
  ['XSplitBroadcaster', 'XSplit'],
  ['SplitCam Video Driver', 'SplitCam'],
  ['CyberLink YouCam 10', 'YouCam'],
  ['e2eSoft VCam', 'VCam'],
  ['Dummy video device (0x0000)', 'v4l2loopback'],
])('%s is a program', (label, program) => {
  expect(virtualCameraOf(label)).toBe(program)
})

test.each([
  '',
  'FaceTime HD Camera',
  'Integrated Camera (04f2:b6d0)',
  'HD Pro Webcam C920',
  'camera2 1, facing front',
  'Front Camera',
  'DroidCam Source 3',
  'EOS Webcam Utility',
  'Jobs Camera',
  'fake_device_0',
])('%o is a camera', (label) => {
  expect(virtualCameraOf(label)).toBeNull()
})
