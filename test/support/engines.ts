import type { Wanted } from './programs.ts';

/** The engines other than Chromium that visitors have. */

export interface Engine extends Wanted {
  name: 'Firefox' | 'WebKit' | 'old WebKit';
}

export const firefox: Engine = {
  name: 'Firefox',
  programs: ['firefox-esr'],
  packages: ['firefox-esr'],
};

export const webkit: Engine = {
  name: 'WebKit',
  programs: ['WebKitWebDriver', '/usr/lib/*/webkit2gtk-4.1/MiniBrowser', 'Xvfb'],
  packages: ['webkit2gtk-driver', 'xvfb'],
};

/** As old as Safari 16.0. A newer Debian has a newer WebKit, so the version is named. */
export const oldWebkit: Engine = {
  name: 'old WebKit',
  programs: ['WPEWebDriver', '/usr/lib/*/wpe-webkit-*/MiniBrowser'],
  packages: ['wpewebkit-driver', 'libwpebackend-fdo-1.0-1'],
};
