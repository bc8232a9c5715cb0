import type { EventEncoder } from '../events.ts'
import { createNativeEncoder } from './encode-native.ts'
import { createUiEncoder } from './encode-ui.ts'

/** How a stream is to be written: plain data, because it crosses the object's boundary. */
export type Face = { readonly type: 'native' } | UiFace

/** `replay`: told to somebody who may know nothing of the answer yet. */
interface UiFace {
  readonly type: 'ui'
  readonly replay: boolean
}

/** A fresh encoder of that face. */
export function createEncoder(face: Face): EventEncoder {
  switch (face.type) {
    case 'native':
      return createNativeEncoder()
    case 'ui':
      return createUiEncoder()
  }
}
