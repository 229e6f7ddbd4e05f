import hints from './form/fields/Hints.module.css?inline';
import missing from './form/fields/Missing.module.css?inline';
import now from './form/fields/Now.module.css?inline';
import problem from './form/fields/Problem.module.css?inline';
import receipt from './form/page/Receipt.module.css?inline';
import whatNext from './form/page/WhatNext.module.css?inline';
import sendButton from './form/sending/SendButton.module.css?inline';
import callNow from './home/CallNow.module.css?inline';
import card from './home/Card.module.css?inline';
import cover from './home/Cover.module.css?inline';
import homePage from './home/HomePage.module.css?inline';
import meanwhile from './safety/Meanwhile.module.css?inline';
import drawerSlide from './shell/drawer-slide.css?inline';
import pageFade from './styles/page-fade.css?inline';

/**
 * The rules that a form does not need until its script runs: its own, then those of the home page. The home page contains them; a form fetches them as a file
 * after its first paint (docs/decisions/0137). Not the snackbar's: a failure must be seen where that file did not arrive.
 * build/later-styles.ts reads the list of files from these imports.
 */
export const laterCss = [
  hints,
  missing,
  now,
  problem,
  receipt,
  whatNext,
  sendButton,
  callNow,
  card,
  cover,
  homePage,
  meanwhile,
  drawerSlide,
  pageFade,
].join('');
